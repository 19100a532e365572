/**
 * The model types of transformers 5.24 that have no encoding of positions, or one that posenc has no function for. What their classes
 * say of positions is recorded in tests/golden/models.json, with which the tests compare these lists.
 */

/** The types whose layers add no positions. A * stands for any text. The types of table.ts may match as well. */
const NONE = `*_vqgan *convnext* *(al|iv|ent|ext|reg|res)net *(er|t5)_hifigan *_bigvgan *_vqmodel align_v* apertus1p5_v* bit \
blip_2_qf* cvt dac encodec flava_(mu|image_c)* florence_* gemma4_u*_audio glm5_next_t* glpn hgnet* idefics*_p* \
inkling_[av]* mobile[nv]* molmo2_a* moonshine_s*r moshi_d* muse_spark_a* poolf* pp_lcnet* pvt_v2 \
sam3(_lite*)?_mask* sapiens2_h* segf* superp* swiftf* uvdoc_* vibevoice_ac* wavtokenizer* xlstm`;

/** What models with trained biases have, if posenc has no function for them. */
export const BIASES = 'it has trained biases of relative positions';

/** what models have that posenc has no function for; the first that fits counts */
const REFUSED: [why: string, types: string][] = [
  ['a convolution encodes positions', `data2vec-a* hubert omniasr_audio sew* unispeech* wav2vec2`],
  [
    BIASES,
    `clap_a* cpmant dinat esmfold2 fastspeech2_c*r funnel gemma*_aud* granite_speech*r \
levit nemotron_asr_*r parakeet_e* phi4_multimodal_a* pix2struct_* prophet* seamless* \
speecht5 swin*2* vits xlnet`,
  ],
  [`queries are scaled by 1 + alpha ln(max(1, (p + 1) / n_floor)); ${BIASES}`, 'inkling(2(_loop)?)?_text'],
  [
    'its rotation is of its own kind',
    `(gemma4|kimi_k25|minimax_m3_vl|step3p5)_v* clvp_* efficientl* eomt_* ernie4_5_vl_moe_* \
hunyuan_vl_t* mlcd* qwen2_5_omni_d* vjepa2`,
  ],
  [
    "its sines follow the image: grid({ preset: 'tatp22', origin: 1, maxFrequency: 2π / size, … })",
    '(conditional_)?detr mask(2)?former onef* table-t*',
  ],
  [
    'its tables or sinusoids are of its own kind',
    `(cosmos3_edge|gemma4_u*|got_ocr2|hunyuan_vl|kosmos_2_5|mllama|molmo2|pp_*|slanext)_v* *detr* *grounding* *_sam_vision_model \
canary_d* canine d_fine deimv2 edgetam* eomt fun_asr_nano_e* hiera layout[lx]* lightg* omdet* patcht* perceiv* pixio pvt qwen*_audio_e* qwen3_asr_e* radio reformer \
sam[23_]* seggpt timesfm tvp vibevoice_d* video(mt|p*_*) vilt vitpose_b* yolos`,
  ],
];

/** Whether a type matches one of the names, which are regular expressions, but for *. Longer ones would take them seconds. */
const among = (type: string, types: string) =>
  /^[\w.-]{1,100}$/.test(type) && new RegExp(`^(${types.replaceAll(' ', '|').replaceAll('*', '.*')})$`).test(type);

/** Whether the layers of a model type add no positions. */
export const without = (type = '') => among(type, NONE);

/** What a model type has that posenc has no function for. A whole whose parts have configurations of their own is in no list. */
export const foreign = (type = '') => REFUSED.find(([, types]) => among(type, types))?.[0];
