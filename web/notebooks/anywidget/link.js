/**
 * A host's model of the traits. Hosts differ in what they can: in MyST there is nobody to tell of changes, and `off` throws.
 *
 * @module
 */

/**
 * @typedef {object} Model what hosts have in common
 * @property {(trait: string) => any} get
 * @property {(trait: string, value: unknown) => void} set
 * @property {(event: string, callback: () => void) => void} on
 * @property {(event: string, callback: () => void) => void} off
 * @property {() => void} save_changes
 *
 * @typedef {object} Link
 * @property {(trait: string) => any} get undefined where the model has no such trait
 * @property {(traits: Record<string, unknown>) => void} save
 * @property {(trait: string, callback: () => void) => void} listen told of changes, but for those saved here
 * @property {() => void} end of all listening
 */

/**
 * @param {() => void} attempt
 */
function tolerate(attempt) {
  try {
    attempt();
  } catch {
    // This host can't, and need not.
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
