// A library for Emscripten's linker that registers EMSCRIPTEN_BINDINGS in JavaScript. Embind's own library converts arguments and
// waits for their types, which takes 4 kB gzipped. The functions of this module only take and return numbers, which need no
// conversion, and its memories never grow. Scratch arrays are registered in the same way, as arrays.
addToLibrary({
  posenc_scratch__deps: ['$AsciiToString'],
  posenc_scratch: (name, kind, address, bytes) => {
    const Kind = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, '-4': Float32Array, '-8': Float64Array }[kind];
    Module.scratch ??= {};
    Module.scratch[AsciiToString(name)] = new Kind(wasmMemory.buffer, address, bytes / Kind.BYTES_PER_ELEMENT);
  },
  // Whether a kernel has thrown since: if the engine's stack overflowed, the kernel's own stack is still where that left it.
  $unfinished: false,
  _embind_register_function__deps: ['$AsciiToString', '$wasmTable', '$stackSave', '$stackRestore', '$unfinished'],
  _embind_register_function: (name, _count, _types, _signature, invoker, target) => {
    const kernel = wasmTable.get(invoker);
    const stack = stackSave();
    // As many as the longest kernel takes: an array of them would take longer than a short call.
    Module[AsciiToString(name)] = (a, b, c, d, e, f, g, h, i, j, k) => {
      if (unfinished) stackRestore(stack);
      unfinished = true;
      kernel(target, a, b, c, d, e, f, g, h, i, j, k);
      unfinished = false;
    };
  },
  // Emscripten's own version would export a function for timers, which nothing uses: 0.15 kB.
  _setitimer_js: () => 0,
  _setitimer_js__deps: [],
  emscripten_resize_heap: () => 0,
});
