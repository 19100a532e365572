/** Reads files of other programs as the config.json that they stand for, or says what they are. */

import { type Config, defined, getOwn, has, isObject, missing } from './config-fields.ts';
import type { OpenModel } from './encoding.ts';
import { half, LLAMA_3_1, LLAMA_3_2, MODEL_RULES, pairs, type TypeRule } from './model-rules.ts';

/** Programs whose files can't be read, by a field that only they have. */
const PROGRAMS = {
  _class_name: 'diffusers',
  peft_type: 'an adapter',
  pretrained_cfg: 'timm',
  keras_version: 'Keras',
  registered_name: 'Keras',
  search: 'ONNX GenAI',
};

// What llama_model_rope_type says in llama.cpp 0c1e57098.

/** The architectures that turn pairs side by side, unless they have the sections of M-RoPE, without those that are refused. */
const SIDE_WORDS =
  `arcee arctic baichuan bailingmoe bailingmoe3 chameleon chatglm command-r deci deepseek deepseek2 deepseek2-ocr \
deepseek32 dots3note eagle3 ernie4_5 ernie4_5-moe glm-dsa glm4 granite granitemoe graniteswitch \
hy_v4 internlm2 llada llama llama-embed maincoder minicpm mistral3 mistral4 nanbeige neo-bert olmo plm pockettts \
starcoder xverse`.split(' ');

/** Names of fields, by those of GGUF after that of the architecture. */
const GGUF = {
  embedding_length: 'hidden_size',
  'attention.head_count': 'num_attention_heads',
  block_count: 'num_hidden_layers',
  context_length: 'max_position_embeddings',
  'attention.key_length': 'head_dim',
  'rope.dimension_count': 'rotary_dim',
  'rope.freq_base': 'rope_theta',
  'rope.scaling.type': 'rope_type',
  'rope.scaling.factor': 'factor',
  'rope.scaling.original_context_length': 'original_max_position_embeddings',
  'rope.scaling.yarn_beta_fast': 'beta_fast',
  'rope.scaling.yarn_beta_slow': 'beta_slow',
};
/** Architectures that don't rotate; their files have fields of a rotation all the same. */
const STILL = ['glm5-next', 'kimi-k3', 'kimi-linear', 'nemotron_h', 'nemotron_h_moe'];

/** Keys of models whose layers differ in ways that llama.cpp knows. Three may have none, and in others layers rotate alike. */
const DIFFER = /sliding_window|_swa$|_interval$|\.ssm\.|shortconv|(cohere2|llama4|smollm3)\.rope/;
const ALIKE = ['gemma2', 'phi3', 'phimoe', 'gpt-oss', 'falcon-h1', ...STILL];

const ARCHITECTURE = 'general.architecture';

/** What the timesteps of a file of diffusers are, by its flags. */
function wordTimesteps({ flip_sin_to_cos: flips, freq_shift: shift }: Config): string {
  const fields = `${flips ? ", layout: 'cos-sin'" : ''}${shift === 0 ? ', endpoint: false' : ''}`;
  const unstated = flips === undefined ? ', or as its class says' : '';
  return `its timesteps are sinusoidal({ dim, preset: 'diffusers'${fields} })${unstated}`;
}

/** The fields of GGUF's metadata by their names in a config.json. Others of rotations keep theirs, and are noted. */
function readGguf(metadata: Config): Config {
  const architecture = metadata[ARCHITECTURE];
  const prefix = `${architecture}.`;
  const keys = Object.keys(metadata);
  if (!keys.some((key) => key.includes('.rope.'))) throw missing(`${prefix}rope.freq_base`);
  if (!ALIKE.includes(architecture) && keys.some((key) => DIFFER.test(key)))
    throw new RangeError(`posenc: layers of ${architecture} differ: pass its config.json`);
  const file: Config = { [ARCHITECTURE]: architecture };
  for (const key of keys) {
    const name = key.startsWith(prefix) ? (getOwn(GGUF, key.slice(prefix.length)) as string) : undefined;
    if (name || key.includes('.rope.')) file[name ?? key] = getOwn(metadata, key);
  }
  const { rotary_dim, rope_type = file.factor ? 'linear' : 'none', ...rest } = file;
  // The part of DeepSeek's heads that rotates is apart from the others.
  const apart = getOwn(metadata, `${prefix}attention.kv_lora_rank`) ? 'qk_rope_head_dim' : 'rotary_dim';
  return { ...rest, rope_scaling: rope_type === 'none' ? null : { rope_type }, [apart]: rotary_dim };
}

/** The config.json that a file stands for: itself, but for GGUF's metadata and Mistral's params.json. */
export function translate(file: Config): Config {
  for (const [name, program] of Object.entries(PROGRAMS)) {
    if (has(file, 'model_type') || !has(file, name)) continue;
    const advice = name === '_class_name' ? wordTimesteps(file) : 'pass the config.json of its model';
    throw new RangeError(`posenc: the config is a file of ${program}: ${advice}`);
  }
  const { yarn, metadata = file } = file;
  if (isParams(file) && isObject(yarn)) {
    const { beta: beta_fast, alpha: beta_slow, apply_scale, ...rest } = yarn;
    const attention_factor = apply_scale === false ? 1 : undefined;
    return {
      ...file,
      yarn: null,
      rope_scaling: defined({ ...rest, rope_type: 'yarn', beta_fast, beta_slow, attention_factor }),
    };
  }
  return isObject(metadata) && typeof getOwn(metadata, ARCHITECTURE) === 'string' ? readGguf(metadata) : file;
}

const isParams = (file: Config) => ['dim', 'n_layers', 'n_heads', 'norm_eps'].every((name) => has(file, name));

/** The rule for GGUF's metadata, or a params.json of Meta's or Mistral's own code, which rotates complex numbers. */
export function programRule(file: Config, seen: Set<string>, note: OpenModel['note']): TypeRule | undefined {
  const architecture = getOwn(file, ARCHITECTURE) as string;
  const isGguf = architecture !== undefined;
  if (!isGguf && !isParams(file)) return undefined;
  if (STILL.includes(architecture)) return MODEL_RULES.get('kimi_linear');
  seen.add('use_scaled_rope');
  const first = (getOwn(file, `${architecture}.rope.dimension_sections`) as number[])?.[0];
  const isListed = SIDE_WORDS.includes(architecture);
  const side = !isGguf || (isListed && !first);
  if (isGguf && !isListed) note('assumed', ARCHITECTURE, 'assumed: half, as most have in llama.cpp', architecture);
  const text = isGguf
    ? 'read as GGUF: rope_freqs or rope_factors may divide the frequencies'
    : 'read as a params.json, which rotates pairs side by side';
  const traits = { ...(side ? pairs : half), note: text };
  const scaling = file.dim < 4096 ? LLAMA_3_2 : LLAMA_3_1;
  return { kind: 'rotary', traits, defaults: getOwn(file, 'use_scaled_rope') ? scaling : {} };
}
