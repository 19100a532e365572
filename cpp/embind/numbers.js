// A library for Emscripten's linker, whose functions take the place of its own. embind registers every type there is, waits for those
// that functions take, and converts arguments: 4 kB gzipped. The functions of this module take and return numbers alone, which need no
// conversion, and its memories never grow.
addToLibrary({
  _embind_register_bigint() {},
  _embind_register_bool() {},
  _embind_register_constant__deps: ['$AsciiToString'],
  _embind_register_constant: (name, _type, value) => {
    Module[AsciiToString(name)] = value;
  },
  _embind_register_emval() {},
  _embind_register_float() {},
  _embind_register_float__deps: [],
  _embind_register_function__deps: ['$AsciiToString', '$wasmTable'],
  _embind_register_function: (name, _count, _types, _signature, invoker, target) => {
    Module[AsciiToString(name)] = wasmTable.get(invoker).bind(null, target);
  },
  _embind_register_integer() {},
  _embind_register_integer__deps: [],
  _embind_register_memory_view() {},
  _embind_register_std_string() {},
  _embind_register_std_wstring() {},
  _embind_register_void() {},
  _embind_register_void__deps: [],
  _setitimer_js: () => 0,
  _setitimer_js__deps: [],
  emscripten_resize_heap: () => 0,
});
