//! Real-time simulation of large bodies of water: the library's front door.
