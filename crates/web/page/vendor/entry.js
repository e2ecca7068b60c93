// What the page uses of three.js; everything else is shaken off.
export {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DataTexture, DepthTexture,
  DirectionalLight, DoubleSide, EdgesGeometry, FloatType, Group, HalfFloatType, HemisphereLight, LineBasicMaterial,
  LineSegments, LinearFilter, Mesh, MeshBasicMaterial, MeshStandardMaterial, NearestFilter, OrthographicCamera,
  PerspectiveCamera, PlaneGeometry, Quaternion, Raycaster, RepeatWrapping, RingGeometry, Scene, ShaderMaterial, SphereGeometry, UnsignedIntType,
  Vector2, Vector3, WebGLRenderTarget, WebGLRenderer, BackSide, CustomBlending, AddEquation, OneFactor, SRGBColorSpace, MathUtils,
} from 'three';
export { OrbitControls } from 'three/addons/controls/OrbitControls.js';
