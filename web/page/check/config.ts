import type { EncodingsOfOptions } from 'posenc/models';
import { useLayoutEffect, useState } from 'preact/hooks';

type GivenConfig = { config: object; options: EncodingsOfOptions } | undefined;

let given: GivenConfig;
const listeners = new Set<(config: GivenConfig) => void>();

/** Shows the panel beside it a config.json, or that there is none. */
export function shareConfig(config?: GivenConfig) {
  given = config;
  for (const listen of listeners) listen(config);
}

/** The config.json beside the table. */
export function useConfig() {
  const [config, follow] = useState(given);
  useLayoutEffect(() => {
    listeners.add(follow);
    return () => void listeners.delete(follow);
  }, []);
  return config;
}
