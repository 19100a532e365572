/** What changes at a bound: just below it, at it and just above it, in numbers and in words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { openSafetensors } from 'posenc/files';
import { identify } from 'posenc/identify';
import { encodingOf } from 'posenc/models';
import { findRanges } from '../../web/files/layer-ranges.ts';
import { formatRanges } from '../../web/page/check/card.ts';
import { isTrusted } from '../../web/page/check/verdict.ts';
import { SCALINGS } from '../../web/spec/scalings.ts';
import { readGolden } from './helpers.ts';

await posenc.load();
const { rotary } = posenc as any;

test('a scaling that depends on the text’s length changes just past its threshold, and nowhere below it', () => {
  const { models } = JSON.parse(readGolden('model-configs.json'));
  const { models: classes } = JSON.parse(readGolden('models.json'));
  const seen = new Set<string>();
  const made = (config: object, sequenceLength: number) => {
    const { spec, notes = [] } = encodingOf(config, { sequenceLength }) as any;
    const { frequencies, attentionFactor, softmaxFactor } = rotary(spec);
    assert.ok(!notes.some(({ field }: any) => field === 'sequenceLength'));
    return { scaling: spec.scaling, numbers: [...frequencies, attentionFactor, softmaxFactor].join() };
  };
  // PhiMoE's files have a factor for each kind of text, too.
  const phi = {
    ...{
      model_type: 'phimoe',
      hidden_size: 64,
      num_attention_heads: 4,
      rope_theta: 1e4,
      max_position_embeddings: 131072,
    },
    rope_scaling: {
      ...{ type: 'longrope', short_factor: Array(8).fill(1), long_factor: Array(8).fill(2) },
      ...{ short_mscale: 1.1, long_mscale: 1.3, original_max_position_embeddings: 4096 },
    },
  };
  const factors = [4096, 4097].map(
    (sequenceLength) => rotary(encodingOf(phi, { sequenceLength }).spec).attentionFactor,
  );
  assert.deepEqual(factors, [1.1, 1.3]);
  for (const { config } of [...models, ...classes, { config: phi }]) {
    let scaling: any;
    try {
      ({ scaling } = made(config, 1));
    } catch {
      continue;
    }
    if (!scaling || !('sequenceLength' in scaling)) continue;
    seen.add(scaling.type);
    const bound = scaling.originalMaxPositionEmbeddings ?? scaling.maxPositionEmbeddings;
    const [least, below, at, above] = [1, bound - 1, bound, bound + 1].map((length) => made(config, length).numbers);
    assert.deepEqual([below, at], [least, least], `${config.model_type} at ${bound}`);
    if (String(scaling.shortFactor) !== String(scaling.longFactor) || scaling.type === 'dynamic')
      assert.notEqual(above, at, `${config.model_type} past ${bound}`);
  }
  assert.deepEqual(
    [...seen].sort(),
    Object.keys(SCALINGS)
      .filter((type) => 'sequenceLength' in (SCALINGS as any)[type])
      .sort(),
  );
});

test('some layers, names or ranges are listed whole, and more with an ellipsis or their number', async () => {
  for (let count = 1; count <= 5; count++) {
    const numbers = Array.from({ length: count }, (_, k) => 4 * k + 3);
    const three = numbers.slice(0, 3).join(', ');
    assert.equal(formatRanges(numbers), count > 3 ? `${three}, …` : three);
    assert.equal(findRanges(numbers).length, count);
    const config = {
      ...{ model_type: 'smollm3', hidden_size: 64, num_attention_heads: 4, rope_theta: 1e4 },
      ...{ num_hidden_layers: 4 * count, no_rope_layer_interval: 4 },
    };
    const said = count > 1 ? `layers ${formatRanges(numbers)} do not rotate` : 'layer 3 does not rotate';
    assert.ok(encodingOf(config).note?.includes(said), encodingOf(config).note);
  }
  for (let count = 1; count <= 30; count++) {
    const names = Array.from({ length: count }, (_, k) => `t${k}`);
    const header = JSON.stringify(
      Object.fromEntries(names.map((name) => [name, { dtype: 'F32', shape: [0], data_offsets: [0, 0] }])),
    );
    const bytes = Buffer.concat([Buffer.from(new BigUint64Array([BigInt(header.length)]).buffer), Buffer.from(header)]);
    const { shape } = await openSafetensors(new Uint8Array(bytes));
    const message = await Promise.resolve()
      .then(() => shape('other'))
      .then(String, ({ message }) => message as string);
    const [, others = 0] = / and (\d+) others/.exec(message) ?? [];
    const listed = names.filter((name) => message.includes(`"${name}"`)).length;
    assert.equal(listed + Number(others), count, message);
    assert.equal(message.includes('others'), listed < count, message);
  }
});

test('frequencies scaled from every length that models have, and buckets of every number and distance, are named', () => {
  for (let power = 9; power <= 18; power++) {
    for (const [type, fields] of [
      ['yarn', {}],
      ['llama3', { lowFreqFactor: 1, highFreqFactor: 4 }],
    ] as const) {
      const scaling = { type, factor: 8, originalMaxPositionEmbeddings: 2 ** power, ...fields };
      const { frequencies } = rotary({ dim: 128, base: 5e5, scaling });
      const [match] = identify({ data: Float32Array.from(frequencies), shape: [1, 64] } as any) as any[];
      assert.deepEqual({ ...match?.spec.scaling }, scaling, `${power}`);
    }
  }
  const powers = (least: number, most: number) => Array.from({ length: most - least + 1 }, (_, k) => 2 ** (least + k));
  for (const buckets of powers(3, 9))
    for (const distance of [16, 20, ...powers(5, 11)])
      for (const spec of [
        { type: 't5', buckets, maxDistance: distance },
        { type: 't5', buckets, maxDistance: distance, bidirectional: false },
        { type: 'deberta', buckets, maxPositions: distance },
      ]) {
        // The last bucket must be there, and not all distances may have one of their own.
        if (distance < 2 * buckets) continue;
        const { index } = posenc.relativeBuckets(spec as any);
        const [match] = identify(index(distance + 9, 9)) as any[];
        const again = match && posenc.relativeBuckets(match.spec).index(distance + 9, 9).data;
        assert.deepEqual(again, index(distance + 9, 9).data, JSON.stringify([spec, match]));
      }
});

test('Check names a table of which three quarters agree, and no fewer', () => {
  const isNamed = (agree: number) => isTrusted({ agree, cells: 400 } as Parameters<typeof isTrusted>[0]);
  assert.deepEqual([299, 300, 301].map(isNamed), [false, true, true]);
});
