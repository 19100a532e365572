// A library for Emscripten's linker that registers EMSCRIPTEN_BINDINGS in JavaScript. Embind's own library converts arguments and
// waits for their types, which takes 4 kB gzipped. The functions of this module only take and return numbers, which need no
// conversion, and its memories never grow.
addToLibrary({
  _embind_register_constant__deps: ['$AsciiToString'],
  _embind_register_constant: (name, _type, value) => {
    Module[AsciiToString(name)] = value;
  },
  _embind_register_function__deps: ['$AsciiToString', '$wasmTable'],
  _embind_register_function: (name, _count, _types, _signature, invoker, target) => {
    Module[AsciiToString(name)] = wasmTable.get(invoker).bind(null, target);
  },
  // Emscripten's own version would export a function for timers, which nothing uses: 0.15 kB.
  _setitimer_js: () => 0,
  _setitimer_js__deps: [],
  emscripten_resize_heap: () => 0,
});
