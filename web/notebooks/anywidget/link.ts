/** The connection to a host's model of the traits. Hosts have different abilities: MyST has no kernel to save to, and `off` throws. */

/** The methods that all hosts have. */
export interface WidgetModel {
  get: (trait: string) => any;
  set: (trait: string, value: unknown) => void;
  on: (event: string, callback: () => void) => void;
  off: (event: string, callback: () => void) => void;
  save_changes: () => void;
}

export type WidgetLink = ReturnType<typeof link>;

function ignoreErrors(attempt: () => void) {
  try {
    attempt();
  } catch {
    // This host doesn't support it, and doesn't need to.
  }
}

export function link(model: WidgetModel) {
  const listeners = new Map<string, () => void>();
  let saving = false;
  return {
    /** Undefined if the model has no such trait. */
    get: (trait: string) => model.get(trait),

    save(traits: Record<string, unknown>) {
      saving = true;
      for (const [trait, value] of Object.entries(traits)) model.set(trait, value);
      saving = false;
      ignoreErrors(() => model.save_changes());
    },

    /** Calls back for changes, except those saved here. */
    listen(trait: string, callback: () => void) {
      const event = `change:${trait}`;
      const heard = () => {
        if (!saving && listeners.has(event)) callback();
      };
      listeners.set(event, heard);
      model.on(event, heard);
    },

    end() {
      for (const [event, heard] of listeners) ignoreErrors(() => model.off(event, heard));
      listeners.clear();
    },
  };
}
