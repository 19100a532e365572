/** Counts the listeners on objects that outlive an element. It runs before the page's scripts. */
export function countListeners() {
  const live = { listeners: 0, elements: [] as WeakRef<Element>[] };
  Object.assign(window, { live });
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const known = new Map<EventTarget, Set<string>>();
  const ids = new WeakMap();
  const lasting = (target: unknown) =>
    target === window || target === document || target instanceof MediaQueryList || target === document.documentElement;
  const formatKey = (type: string, listener: any, options: any) => {
    if (!ids.has(listener)) ids.set(listener, crypto.randomUUID());
    return `${type} ${ids.get(listener)} ${Boolean(Object(options).capture ?? options)}`;
  };
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    addEventListener.call(target, type, listener, options);
    if (!listener || !lasting(target)) return;
    const set = known.get(target) ?? new Set();
    known.set(target, set);
    const key = formatKey(type, listener, options);
    if (!set.has(key)) live.listeners++;
    set.add(key);
    const { signal } = Object(options);
    const end = () => {
      if (set.delete(key)) live.listeners--;
    };
    if (signal) addEventListener.call(signal, 'abort', end);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    removeEventListener.call(target, type, listener, options);
    if (listener && known.get(target)?.delete(formatKey(type, listener, options))) live.listeners--;
  };
}
