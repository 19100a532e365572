/**
 * The model types of transformers 5.23 that have no encoding of positions, or one that posenc has no function for.
 *
 * @module
 */

import { MODELS } from './table.js';

/** The types whose attention, if there is any, has no positions. A * stands for any text. */
const NONE = `*_vqgan *convnext* *(al|iv|ent|ext|reg|res)net *(er|t5)_hifigan bit cvt dac encodec
flava_image_c* glm_image_vqmodel glpn hgnet_v2 mobile[nv]* poolformer pp_lcnet* pvt_v2 *_bigvgan
segformer superpoint swiftformer uvdoc* vibevoice_ac* xlstm`;

const ELSEWHERE = 'its parts or its backbone have files of their own';

/** @type {[why: string, types: string][]} what models have instead of an encoding that posenc makes */
const REFUSED = [
  [
    ELSEWHERE,
    `aya_vision bark blip-2 chmv2 cohere2_vision cohere_asr col* cosmos3_omni deepseek_vl_* *depth_* dpr
*encoder-decoder fast_vlm *_with_hifigan florence2 fuyu glm46v glmga *(5|lasr)_ctc
higgs_audio_v2_* hyperclovax_* inkling_mm* jev kosmos-2.5 layoutxlm lfm2_vl lighton_ocr
*llava* mistral3 modernvbert musicflamingo nemo_* nemotron3_5_* nemotron_h_* nougat paligemma perception_lm
pi0 pp_chart2table pp_ocrv* qwen2_5_omni qwen3_omni_moe rag shieldgemma2 slanet slanext
step3p7 superglue t5gemma* timm_* tipsv2_dpt ultravbert upernet vibevoice_asr
vision-* vitmatte vitpose xcodec zoedepth`,
  ],
  ['a convolution encodes positions', `data2vec-audio hubert sew* unispeech* wav2vec2`],
  [
    'trained vectors or a network make biases of relative positions',
    `canary_* clap_a* clvp_* cpmant dinat esmfold2 fastspeech2_conformer fun_asr_nano_* funnel
gemma(3n|4)_audio granite_speech* levit maskformer-swin nemotron_asr_streaming_* parakeet_* phi4_multimodal_a*
pix2struct_* prophetnet seamless_m4t* speecht5 swin* vits wav2vec2-* xlnet`,
  ],
  [
    'its tables or sinusoids are made in ways of their own',
    `*detr* *grounding-dino *_sam_vision_model align_v* audio-s* autoformer blip_* canine cosmos3_edge_v*
d_fine deepseek_ocr2_* deimv2 edgetam* eomt flava_m* florence_* git_* got_ocr2_*
groupvit_v* hiera hunyuan_vl_vision ibert idefics2_p* informer instructblip* kosmos_2_* layoutlmv*
led lightglue luke lxmert mask* minicpm_ocr_v* minicpmv* mllama_v* musicgen_melody_* omdet-turbo
oneformer ovis2_* patchts* pegasus_x perceiver pixio pp_*_v* pvt qwen*audio_encoder qwen3_asr_* radio reformer
sam(?!3_vi[st])* seggpt siglip2_v* slanext_* table-transformer time* tipsv2_* tvp
vibevoice_* videom* videoprism_* vilt visual_bert vitpose_* vivit yolos`,
  ],
  [
    'the layout of its rotation was not measured',
    `[Ee]volla* axk2 beam cohere_compass_* cosmos3_edge_t* deepseek_v[34]* dots3_note_* efficientl* eomt_*
ernie4_5_vl_moe_* exaone4_5_* gemma3n_v* gemma4_* glm4v_moe_t* glm5_next_* glm_image_t* glm_moe_dsa
glm_ocr_v* granite4_vision_text higgs_audio_v2 hunyuan_v* hy_v4 idefics(_.*)? inkling* internlm3 iquestcoder
kimi_k25_* laguna lasr_encoder lfm3_vl_* minimax_m3_vl_* mistral_large4_* mlcd_* molmo2_*
moonshine_streaming_* moshi_d* muse_* pe_* pocket_tts_* qwen(2_5_omni|3_5|3_omni_moe|3_vl)_*
qwen4_exp_* sam3_v* sapiens2* step3p5_* video_llama_3_* vjepa2`,
  ],
];

/** Whether a type matches one of the names, which are regular expressions, but for *. */
const among = (/** @type {string} */ type, /** @type {string} */ types) =>
  new RegExp(`^(${types.replace(/\s+/g, '|').replaceAll('*', '.*')})$`).test(type);

/** Whether convolutions or recurrence give a model type its only positions. */
export const without = (/** @type {string} */ type) => among(type, NONE);

const ALL = [...MODELS.keys(), ...REFUSED.flat()].flatMap((names) => names.split(/\s+/));

/** What a model type has that posenc has no function for. A whole whose parts have types of their own is in no list. */
export function foreign(/** @type {string} */ type) {
  const isWhole = ALL.some((name) => name.startsWith(`${type.replaceAll('-', '_')}_`));
  return REFUSED.find(([, types]) => among(type, types))?.[0] ?? (isWhole ? ELSEWHERE : '');
}
