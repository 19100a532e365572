/** The types that model-rules.ts hasn't, by what their classes in transformers 5.24.0 say: tests/golden/make_models.py writes this file. */
export const REFUSED_NAMES = {
  bias: `cpmant deepseek_ocr2_sam_vision_model dinat esmfold2 fastspeech2_conformer funnel got_ocr2_vision granite_speech5_encoder granite_speech_encoder \
granite_speech_plus_encoder layoutlmv2 layoutlmv3 layoutxlm levit nemotron_asr_streaming_encoder parakeet_encoder pix2struct_text_model \
pix2struct_vision_model pp_chart2table_vision pp_formulanet_vision prophetnet sam_hq_vision_model sam_vision_model seamless_m4t seamless_m4t_v2 seggpt \
slanext_vision swin2sr swinv2 unlimited_ocr_sam_vision_model vits xlnet`,
  convolution: `data2vec-audio hubert sew sew-d speecht5 unispeech unispeech-sat wav2vec2`,
  none: `align_vision_model apertus1p5_vision_tokenizer bit blip_2_qformer convnext convnextv2 cvt dac dinov3_convnext efficientnet encodec \
flava_multimodal_model florence_vision focalnet glm5_next_text glpn hgnet_v2 inkling_vision mobilenet_v1 mobilenet_v2 mobilevit mobilevitv2 \
moonshine_streaming_encoder poolformer pp_lcnet pp_lcnet_v3 pp_lcnet_v4 pvt_v2 regnet resnet segformer superpoint swiftformer textnet univnet wavtokenizer \
wavtokenizer_encoder xlstm`,
  queries: `inkling2_loop_text inkling2_text inkling_text`,
  rotation: `clvp_decoder clvp_encoder efficientloftr eomt_dinov3 ernie4_5_vl_moe_text gemma4_vision hunyuan_vl_text kimi_k25_vision minimax_m3_vl_vision mlcd \
mlcd_vision_model qwen2_5_omni_dit sam3_vit_model step3p5_vision vjepa2`,
  sines: `conditional_detr detr edgetam_vision_model mask2former maskformer oneformer sam2_vision_model sam3_vision_model table-transformer`,
  table: `canary_decoder canine cosmos3_edge_vision d_fine dab-detr deformable_detr deimv2 edgetam edgetam_video eomt fun_asr_nano_encoder \
gemma4_unified_vision grounding-dino hiera hunyuan_vl_vision kosmos_2_5_vision_model lightglue lw_detr mllama_vision_model mm-grounding-dino molmo2_vision \
omdet-turbo patchtsmixer patchtst perceiver pixio pp_doclayout_v2 pp_doclayout_v3 pp_doclayout_v4 pvt qwen3_asr_encoder radio reformer rf_detr rt_detr \
rt_detr_v2 sam2 sam2_video sam3 sam3_lite_text sam3_tracker sam3_tracker_video sam3_video sam_hq timesfm tvp videomt videoprism_text_model \
videoprism_vision_model vilt yolos`,
};
