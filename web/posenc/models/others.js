/**
 * The model types of transformers 5.23 that have no encoding of positions, or one that posenc has no function for.
 *
 * @module
 */

import { MODELS } from './table.js';

/** The types whose attention, if there is any, has no positions. A * stands for any text. */
const NONE = `*_vqgan *convnext* *resnet bit cvt dac efficientnet encodec fastspeech2_conformer_hifigan
flava_image_codebook focalnet glm_image_vqmodel glpn hgnet_v2 mobilenet_v* mobilevit* poolformer
pp_lcnet* pvt_v2 qwen2_5_omni_bigvgan regnet segformer speecht5_hifigan superpoint swiftformer textnet
univnet uvdoc* vibevoice_acoustic_tokenizer* xlstm`;

const ELSEWHERE = 'its parts or its backbone have files of their own';

/** @type {[why: string, types: string][]} what models have instead of an encoding that posenc makes */
const REFUSED = [
  [
    ELSEWHERE,
    `aya_vision bark blip-2 chmv2 cohere2_vision cohere_asr col* cosmos3_omni deepseek_vl_hybrid depth_* dpr
encoder-decoder fast_vlm fastspeech2_conformer_with_hifigan florence2 fuyu glm46v glmga granite_speech5_ctc
higgs_audio_v2_tokenizer hyperclovax_vision_v2 inkling_mm_model jev kosmos-2.5 lasr_ctc layoutxlm lfm2_vl lighton_ocr
llava* mistral3 modernvbert musicflamingo nemo_speechlm nemotron3_5_* nemotron_h_omni nougat paligemma perception_lm
pi0 pp_chart2table pp_ocrv* prompt_depth_anything qwen2_5_omni qwen3_omni_moe rag shieldgemma2 slanet slanext
speech-encoder-decoder step3p7 superglue t5gemma* timm_* tipsv2_dpt ultravbert upernet vibevoice_asr video_llava
vipllava vision-* vitmatte vitpose xcodec zoedepth`,
  ],
  ['a convolution encodes positions', `data2vec-audio hubert sew* unispeech* wav2vec2`],
  [
    'trained vectors or a network make biases of relative positions',
    `canary_decoder clap_audio_model clvp_* cpmant dinat esmfold2 fastspeech2_conformer fun_asr_nano_encoder funnel
gemma(3n|4)_audio granite_speech* levit maskformer-swin nemotron_asr_streaming_encoder parakeet_* phi4_multimodal_audio
pix2struct_* prophetnet seamless_m4t* speecht5 swin* vits wav2vec2-* xlnet`,
  ],
  [
    'its tables or sinusoids are made or combined in ways of their own',
    `*detr* *grounding-dino align_vision_model audio-spectrogram-transformer autoformer blip_* canine cosmos3_edge_vision
d_fine deepseek_ocr2_* deimv2 edgetam* eomt flava_multimodal_model florence_vision git_* got_ocr2_vision
groupvit_vision_model hiera hunyuan_vl_vision ibert idefics2_perceiver informer instructblip* kosmos_2_* layoutlmv*
led lightglue luke lxmert mask* minicpm_ocr_vision minicpmv* mllama_vision_model musicgen_melody_decoder omdet-turbo
oneformer ovis2_vision patchts* pegasus_x perceiver pixio pp_*_v* pvt qwen*audio_encoder qwen3_asr_encoder radio reformer
sam(?!3_vi[st])* seggpt siglip2_vision_model slanext_vision table-transformer time* tipsv2_* tvp
unlimited_ocr_sam_vision_model vibevoice_* videom* videoprism_* vilt visual_bert vitpose_backbone vivit yolos`,
  ],
  [
    'the layout of its rotation was not measured',
    `[Ee]volla* axk2 beam cohere_compass_* cosmos3_edge_text deepseek_v[34]* dots3_note_* efficientloftr eomt_dinov3
ernie4_5_vl_moe_* exaone4_5_vision gemma3n_vision gemma4_* glm4v_moe_text glm5_next_* glm_image_text glm_moe_dsa
glm_ocr_vision granite4_vision_text higgs_audio_v2 hunyuan_v* hy_v4 idefics idefics_* inkling* internlm3 iquestcoder
kimi_k25_vision laguna lasr_encoder lfm3_vl_vision minimax_m3_vl_* mistral_large4_text mlcd_vision_model molmo2_*
moonshine_streaming_encoder moshi_depth muse_* pe_* pocket_tts_audio_tokenizer* qwen(2_5_omni|3_5|3_omni_moe|3_vl)_*
qwen4_exp_* sam3_v* sapiens2* step3p5_vision video_llama_3_vision vjepa2`,
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
