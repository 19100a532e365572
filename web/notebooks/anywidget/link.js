/**
 * The connection to a host's model of the traits. Hosts have different abilities: MyST has no kernel to save to, and `off` throws.
 *
 * @module
 */

/**
 * @typedef {object} Model the methods that all hosts have
 * @property {(trait: string) => any} get
 * @property {(trait: string, value: unknown) => void} set
 * @property {(event: string, callback: () => void) => void} on
 * @property {(event: string, callback: () => void) => void} off
 * @property {() => void} save_changes
 *
 * @typedef {object} Link
 * @property {(trait: string) => any} get undefined if the model has no such trait
 * @property {(traits: Record<string, unknown>) => void} save
 * @property {(trait: string, callback: () => void) => void} listen called for changes, except those saved here
 * @property {() => void} end stops all listening
 */

/**
 * @param {() => void} attempt
 */
function tolerate(attempt) {
  try {
    attempt();
  } catch {
    // This host doesn't support it, and doesn't need to.
  }
}

/**
 * @param {Model} model
 * @returns {Link}
 */
export function link(model) {
  /** @type {Map<string, () => void>} */
  const listeners = new Map();
  let saving = false;
  return {
    get: (trait) => model.get(trait),

    save(traits) {
      saving = true;
      for (const [trait, value] of Object.entries(traits)) model.set(trait, value);
      saving = false;
      tolerate(() => model.save_changes());
    },

    listen(trait, callback) {
      const event = `change:${trait}`;
      const heard = () => {
        if (!saving && listeners.has(event)) callback();
      };
      listeners.set(event, heard);
      model.on(event, heard);
    },

    end() {
      for (const [event, heard] of listeners) tolerate(() => model.off(event, heard));
      listeners.clear();
    },
  };
}
