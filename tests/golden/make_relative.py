#!/usr/bin/env python3
"""Records biases and indices of relative positions as models make them: `make_relative.py` writes relative.json,
`make_relative.py --check` compares it.

Needs PyTorch (Debian: python3-torch) and transformers (`pip install transformers==4.40.2` goes with PyTorch 1.13); relative.json says
which versions made it. Everything comes from the models' own functions and modules: `source` names them.

    alibi      [heads, keys], the bias of the query at `start`, by slopes that are float32, or bfloat16 for Falcon
    buckets    what relativeBuckets(spec) finds for a distance key - query from `from` to `to`: each of `steps` is the first
               distance and its index, which holds up to the next step. Where `mirrored`, the model counts query - key, and its
               index is that of the opposite end
    windows    rows of the index of windowIndex(spec), by their numbers
    biases     [heads, queries, keys], looked up in a table that holds 0, 1, 2, ... by a spec of relativeBuckets or windowIndex
"""

import warnings

import torch
import transformers
from transformers.models.beit.modeling_beit import BeitConfig, BeitRelativePositionBias
from transformers.models.bloom import modeling_bloom
from transformers.models.data2vec.modeling_data2vec_vision import Data2VecVisionConfig, Data2VecVisionRelativePositionBias
from transformers.models.deberta_v2.modeling_deberta_v2 import DebertaV2Config, DisentangledSelfAttention
from transformers.models.falcon import modeling_falcon
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.speecht5.modeling_speecht5 import SpeechT5RelativePositionalEncoding
from transformers.models.swin.modeling_swin import SwinConfig, SwinSelfAttention
from transformers.models.t5.modeling_t5 import T5Attention, T5Config
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import Wav2Vec2BertConfig, Wav2Vec2BertSelfAttention
from transformers.models.wavlm.modeling_wavlm import WavLMAttention

from record import record_near

HEADS = [8, 12, 20, 32, 71]
KEYS = 4
FAR = 1200
T5 = [(32, 128), (32, 256), (64, 512), (16, 20), (320, 800)]
DEBERTA = [(256, 512), (32, 128), (64, 1024)]
WINDOWS = [(2, 2), (7, 7), (3, 5), (5, 3), (1, 6), (8, 4), (14, 14)]


def digits(tensor):
    return [float(f'{value:.9g}') for value in tensor.flatten().tolist()]


def alibis():
    mask = torch.ones(1, KEYS)
    for heads in HEADS:
        for source, module in [('Bloom', modeling_bloom), ('Falcon', modeling_falcon)]:
            values = digits(module.build_alibi_tensor(mask, heads, torch.float32))
            yield {'source': source, 'spec': {'heads': heads}, 'start': 0, 'values': values}
        for bias in (8, 4, 10):
            values = digits(build_mpt_alibi_tensor(heads, KEYS, bias))
            yield {'source': 'MPT', 'spec': {'heads': heads, 'maxBias': bias}, 'start': KEYS - 1, 'values': values}


def steps(first, indices):
    """Where the indices of distances change, from the first distance on."""
    last = None
    for distance, index in enumerate(indices, first):
        if index != last:
            yield [distance, index]
        last = index


def line(matrix):
    """Indices by their distance, which a matrix of queries and keys has in its first column and its first row."""
    return torch.cat([matrix[1:, 0].flip(0), matrix[0]]).tolist()


def looked_up(embedding, call):
    """The indices that a module looks up in an embedding."""
    seen = []
    hook = embedding.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    call()
    hook.remove()
    return seen[0]


def deberta(buckets, positions, length):
    """The indices of the real attention: its keys hold their numbers, and its queries 1."""
    attention = DisentangledSelfAttention(
        DebertaV2Config(
            hidden_size=1,
            num_attention_heads=1,
            relative_attention=True,
            position_buckets=buckets,
            max_relative_positions=positions,
            pos_att_type=['c2p'],
        )
    )
    torch.nn.init.ones_(attention.pos_key_proj.weight)
    torch.nn.init.zeros_(attention.pos_key_proj.bias)
    ones = torch.ones(1, length, 1)
    numbers = torch.arange(2 * buckets, dtype=torch.float32)[:, None]
    return attention.disentangled_attention_bias(ones, ones, None, numbers, 1)[0].long()


def wav2vec2_bert(left, right, length):
    attention = Wav2Vec2BertSelfAttention(
        Wav2Vec2BertConfig(
            hidden_size=2,
            num_attention_heads=1,
            position_embeddings_type='relative_key',
            left_max_position_embeddings=left,
            right_max_position_embeddings=right,
        )
    )
    return looked_up(attention.distance_embedding, lambda: attention(torch.zeros(1, length, 2)))


def speecht5(most, length):
    module = SpeechT5RelativePositionalEncoding(1, most)
    return looked_up(module.pe_k, lambda: module(torch.zeros(1, length, 1)))


def buckets():
    distances = torch.arange(-FAR, FAR + 1)

    def case(source, spec, indices, **more):
        far = len(indices) // 2
        return {'source': source, 'spec': spec, 'from': -far, 'to': far, 'steps': list(steps(-far, indices)), **more}

    for count, most in T5:
        for both in (True, False):
            spec = {'type': 't5', 'buckets': count, 'maxDistance': most, 'bidirectional': both}
            yield case('T5', spec, T5Attention._relative_position_bucket(distances, both, count, most).tolist())
        spec = {'type': 't5', 'buckets': count, 'maxDistance': most}
        yield case('MPNet', spec, MPNetEncoder.relative_position_bucket(distances, count, most).tolist())
        attention = WavLMAttention(2, 1, num_buckets=count, max_distance=most)
        yield case('WavLM', spec, attention._relative_positions_bucket(distances).tolist())
    for count, most in DEBERTA:
        spec = {'type': 'deberta', 'buckets': count, 'maxPositions': most}
        yield case('DeBERTa-v2', spec, line(deberta(count, most, FAR + 1)))
    for left, right in [(64, 8), (3, 0)]:
        spec = {'type': 'clip', 'left': left, 'right': right}
        yield case('Wav2Vec2-BERT', spec, line(wav2vec2_bert(left, right, 101)))
    for most in (160, 5):
        spec = {'type': 'clip', 'left': most - 1, 'right': most}
        yield case('SpeechT5', spec, line(speecht5(most, 201)), mirrored=True)


def windows():
    def case(source, window, index, **more):
        last = len(index) - 1
        chosen = range(last + 1) if last < 10 else [0, 1, last // 2, last]
        rows = {str(row): index[row].tolist() for row in chosen}
        return {'source': source, 'spec': {'shape': window, **more}, 'rows': rows}

    for window in WINDOWS:
        swin = SwinSelfAttention(SwinConfig(), 1, 1, window)
        yield case('Swin', window, swin.relative_position_index)
        beit = BeitRelativePositionBias(BeitConfig(), window)
        yield case('BEiT', window, beit.relative_position_index, classToken=True)
        data2vec = Data2VecVisionRelativePositionBias(Data2VecVisionConfig(), window)
        yield case('Data2Vec', window, data2vec.relative_position_index, classToken=True)


def count_up(table):
    with torch.no_grad():
        table.copy_(torch.arange(table.numel(), dtype=torch.float32).view_as(table))


def biases():
    def case(source, spec, bias):
        return {'source': source, 'spec': spec, 'shape': list(bias.shape), 'values': [int(v) for v in bias.flatten()]}

    for decoder in (False, True):
        attention = T5Attention(T5Config(num_heads=3, is_decoder=decoder), has_relative_attention_bias=True)
        count_up(attention.relative_attention_bias.weight)
        yield case('T5', {'type': 't5', 'bidirectional': not decoder}, attention.compute_bias(9, 40)[0])
    attention = WavLMAttention(4, 2, num_buckets=8, max_distance=12)
    count_up(attention.rel_attn_embed.weight)
    yield case('WavLM', {'type': 't5', 'buckets': 8, 'maxDistance': 12}, attention.compute_bias(20, 6))
    window = (2, 3)
    beit = BeitRelativePositionBias(BeitConfig(), window)
    count_up(beit.relative_position_bias_table)
    yield case('BEiT', {'shape': window, 'classToken': True}, beit())


if __name__ == '__main__':
    warnings.simplefilter('ignore')
    makers = {'alibi': alibis, 'buckets': buckets, 'windows': windows, 'biases': biases}
    made = {name: list(make()) for name, make in makers.items()}
    # The powers of other builds differ by the last bit of a bias.
    record_near('relative.json', made, 1e-6, torch, transformers, indent='')
