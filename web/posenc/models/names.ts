/** The types that table.ts hasn't, by what their classes in transformers 5.24.0 say: tests/golden/make_models.py writes this file. */
export const NAMES = {
  none: `align_vision_model apertus1p5_vision_tokenizer bit blip_2_qformer chameleon_vqgan convnext convnextv2 cvt dac dinov3_convnext efficientnet emu3_vqgan \
encodec fastspeech2_conformer_hifigan flava_image_codebook flava_multimodal_model florence_vision focalnet gemma4_unified_audio glm5_next_text \
glm_image_vqmodel glpn hgnet_v2 idefics2_perceiver idefics_perciever inkling_audio inkling_vision janus_vqgan mobilenet_v1 mobilenet_v2 mobilevit mobilevitv2 \
molmo2_adapter moonshine_streaming_encoder moshi_depth muse_spark_audio poolformer pp_lcnet pp_lcnet_v3 pp_lcnet_v4 pvt_v2 qwen2_5_omni_bigvgan regnet resnet \
rt_detr_resnet sapiens2_head segformer speecht5_hifigan superpoint swiftformer textnet univnet uvdoc_backbone vibevoice_acoustic_tokenizer \
vibevoice_acoustic_tokenizer_decoder vibevoice_acoustic_tokenizer_encoder wavtokenizer wavtokenizer_encoder xlstm`,
  convolution: `data2vec-audio hubert omniasr_audio sew sew-d speecht5 unispeech unispeech-sat wav2vec2`,
  queries: `inkling2_loop_text inkling2_text inkling_text`,
  bias: `clap_audio_model cpmant deepseek_ocr2_sam_vision_model dinat esmfold2 fastspeech2_conformer funnel gemma3n_audio gemma4_audio got_ocr2_vision \
granite_speech5_encoder granite_speech_encoder granite_speech_plus_encoder layoutlmv2 layoutlmv3 layoutxlm levit nemotron_asr_streaming_encoder \
parakeet_encoder phi4_multimodal_audio pix2struct_text_model pix2struct_vision_model pp_chart2table_vision pp_formulanet_vision prophetnet sam_hq_vision_model \
sam_vision_model seamless_m4t seamless_m4t_v2 seggpt slanext_vision swin2sr swinv2 unlimited_ocr_sam_vision_model vits xlnet`,
  rotation: `clvp_decoder clvp_encoder efficientloftr eomt_dinov3 ernie4_5_vl_moe_text gemma4_vision hunyuan_vl_text kimi_k25_vision minimax_m3_vl_vision mlcd \
mlcd_vision_model qwen2_5_omni_dit sam3_vit_model step3p5_vision vjepa2`,
  sines: `conditional_detr detr edgetam_vision_model mask2former maskformer oneformer sam2_vision_model sam3_vision_model table-transformer`,
  table: `canary_decoder canine cosmos3_edge_vision d_fine dab-detr deformable_detr deimv2 edgetam edgetam_video eomt fun_asr_nano_encoder \
gemma4_unified_vision grounding-dino hiera hunyuan_vl_vision kosmos_2_5_vision_model lightglue lw_detr lw_detr_vit mllama_vision_model mm-grounding-dino \
molmo2_vision omdet-turbo patchtsmixer patchtst perceiver pixio pp_doclayout_v2 pp_doclayout_v3 pp_doclayout_v4 pvt qwen2_5_omni_audio_encoder \
qwen3_asr_encoder qwen3_omni_moe_audio_encoder radio reformer rf_detr rf_detr_dinov2 rt_detr rt_detr_v2 sam2 sam2_hiera_det_model sam2_video sam3 \
sam3_lite_text sam3_tracker sam3_tracker_video sam3_video sam_hq timesfm tvp vibevoice_diffusion videomt videoprism_text_model videoprism_vision_model vilt \
vitpose_backbone yolos`,
};
