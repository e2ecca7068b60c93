// The pointer as a hand: takes a body, drags it in the plane that faces the camera, throws it.

export class Hand {
  constructor(view, canvas, send) {
    Object.assign(this, { view, canvas, send, held: null, hover: null });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    ['pointerup', 'pointercancel'].forEach((name) => canvas.addEventListener(name, (event) => this.letGo(event)));
  }

  /** Takes the body under the pointer; false if there is none. */
  take(event) {
    const found = event.button === 0 && event.isPrimary && this.view.pickBody(event.clientX, event.clientY);
    if (!found) return false;
    this.held = { ...found, pointer: event.pointerId };
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.style.cursor = 'grabbing';
    this.send({ do: 'grab', body: found.name, at: found.point.toArray() });
    return true;
  }

  move(event) {
    this.hover = [event.clientX, event.clientY];
    if (this.held?.pointer === event.pointerId) {
      const to = this.view.onPlane(event.clientX, event.clientY, this.held.point);
      if (to) this.send({ do: 'drag', to: to.toArray() });
    } else if (event.buttons === 0) {
      this.canvas.style.cursor = this.view.pickBody(event.clientX, event.clientY) ? 'grab' : '';
    }
  }

  letGo(event) {
    if (this.held?.pointer !== event.pointerId) return;
    this.held = null;
    this.canvas.style.cursor = '';
    this.send({ do: 'release' });
  }

  /** Takes the body under the pointer out of the water. */
  remove() {
    const found = this.hover && this.view.pickBody(...this.hover);
    if (found) this.send({ do: 'remove', body: found.name });
  }
}
