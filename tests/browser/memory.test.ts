import { launch, serveFolder } from './browser.ts';
import { DIST, testMemories } from './memories.ts';
import { expect, test } from './page.ts';

testMemories('Chromium', () => launch());

test('WebGPU accepts an array of a memory without a copy', async () => {
  const served = await serveFolder(DIST);
  const browser = await launch(['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']);
  try {
    const page = await browser.newPage();
    await page.goto(`${served.address}posenc.js`);
    const found = await page.evaluate(`(async () => {
      const device = await (await navigator.gpu?.requestAdapter())?.requestDevice();
      if (!device) return undefined;
      const posenc = await import('${served.address}posenc.js');
      await posenc.load();
      const { data } = (await posenc.memory(2 ** 16)).tensor([10, 64]);
      posenc.sinusoidal({ dim: 64 }).encode(10, { out: data });
      const size = data.byteLength;
      const buffer = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
      const read = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
      device.queue.writeBuffer(buffer, 0, data);
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(buffer, 0, read, 0, size);
      device.queue.submit([encoder.finish()]);
      await read.mapAsync(GPUMapMode.READ);
      return [[...new Float32Array(read.getMappedRange())], [...data]];
    })()`);
    if (!found) {
      test.skip(true, 'there is no WebGPU here');
      return;
    }
    const [there, here] = found as number[][];
    expect(here.some((value) => value !== 0)).toBeTruthy();
    expect(there).toEqual(here);
  } finally {
    await browser.close();
    served.close();
  }
});
