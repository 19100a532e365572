/** Well-known models, with the fields of their files that decide the encoding. */
export const EXAMPLE_MODELS: Record<string, object> = {
  'Llama 3.1 8B': {
    ...{ model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 32 },
    ...{ max_position_embeddings: 131072, rope_theta: 500000 },
    rope_scaling: {
      ...{ rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
      original_max_position_embeddings: 8192,
    },
  },
  'Mistral 7B v0.3': {
    ...{ model_type: 'mistral', hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 32 },
    ...{ max_position_embeddings: 32768, rope_theta: 1000000 },
  },
  'Qwen2.5 7B': {
    ...{ model_type: 'qwen2', hidden_size: 3584, num_attention_heads: 28, num_hidden_layers: 28 },
    ...{ max_position_embeddings: 32768, rope_theta: 1000000 },
  },
  'gpt-oss 120B': {
    ...{ model_type: 'gpt_oss', head_dim: 64, num_hidden_layers: 36, max_position_embeddings: 131072 },
    rope_theta: 150000,
    rope_scaling: {
      ...{ rope_type: 'yarn', factor: 32, beta_fast: 32, beta_slow: 1, truncate: false },
      original_max_position_embeddings: 4096,
    },
  },
  'Gemma 3 1B': {
    ...{ model_type: 'gemma3_text', head_dim: 256, num_hidden_layers: 26, sliding_window_pattern: 6 },
    ...{ max_position_embeddings: 32768, rope_theta: 1000000, rope_local_base_freq: 10000 },
  },
  'DeepSeek-V3': {
    ...{ model_type: 'deepseek_v3', qk_rope_head_dim: 64, num_hidden_layers: 61, max_position_embeddings: 163840 },
    rope_theta: 10000,
    rope_scaling: {
      ...{ type: 'yarn', factor: 40, beta_fast: 32, beta_slow: 1, mscale: 1, mscale_all_dim: 1 },
      original_max_position_embeddings: 4096,
    },
  },
  'Phi-2': {
    ...{ model_type: 'phi', hidden_size: 2560, num_attention_heads: 32, num_hidden_layers: 32 },
    ...{ partial_rotary_factor: 0.4, max_position_embeddings: 2048, rope_theta: 10000 },
  },
  'GPT-J 6B': { model_type: 'gptj', n_embd: 4096, n_head: 16, n_layer: 28, rotary_dim: 64, n_positions: 2048 },
  'GPT-2 medium': { model_type: 'gpt2', n_embd: 1024, n_positions: 1024 },
  'OPT 1.3B': { model_type: 'opt', hidden_size: 2048, word_embed_proj_dim: 2048, max_position_embeddings: 2048 },
  'Whisper large v2': { model_type: 'whisper', d_model: 1280, max_source_positions: 1500, max_target_positions: 448 },
  'T5 small': { model_type: 't5', num_layers: 6, relative_attention_num_buckets: 32 },
  'BLOOM 3B': { model_type: 'bloom', n_head: 32, n_layer: 30 },
};
