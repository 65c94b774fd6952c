import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ParsingTooLarge, parseInProcess } from './parse-process.ts'

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parse-process-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

async function linesOf(source: string, limits: object = {}): Promise<string[]> {
  const file = path.join(folder, `${fs.readdirSync(folder).length}.mjs`)
  fs.writeFileSync(file, source)
  const lines: string[] = []
  const all = { maxHeap: 64, maxMemory: 256, timeLimitMs: 20_000, ...limits }
  for await (const line of parseInProcess(pathToFileURL(file), Buffer.from('7 seeds'), all)) lines.push(line)
  return lines
}

it('yields the lines that a program prints, and lets it read the bytes but not the server’s environment', async () => {
  const source = `
    import { text } from 'node:stream/consumers'
    console.log(await text(process.stdin))
    console.log(Object.keys(process.env).includes('PATH'))`
  expect(await linesOf(source)).toEqual(['7 seeds', 'false'])
})

describe('throws ParsingTooLarge for', () => {
  it.each<[name: string, source: string, limits?: object]>([
    // Allocates outside the heap and gives timers no chance to run.
    ['too many bytes', `const all = []\nfor (let i = 0; i < 24; i++) all.push(Buffer.alloc(2 ** 24, 1))\nconsole.log(all.length)`],
    ['too many values', `const all = []\nfor (let i = 0; i < 3e7; i++) all.push({ i })\nconsole.log(all.length)`],
    ['an allocation that fails', 'new ArrayBuffer(2 ** 53 - 1)'],
    ['a crash', `process.kill(process.pid, 'SIGSEGV')\nsetInterval(() => {}, 1000)`],
    ['an endless loop', 'for (;;) {}', { timeLimitMs: 1_000 }],
  ])('%s', async (_, source, limits = {}) => {
    await expect(linesOf(source, limits)).rejects.toThrow(ParsingTooLarge)
  })
})

it('reports where any other error happened, without quoting the file', async () => {
  const source = `function read() {\n  throw new TypeError('The sample is "Lime Haze"\\n    at the lab of Ann')\n}\nread()`
  const error = await linesOf(source).catch((thrown: Error) => thrown)
  expect(error).toMatchObject({ message: 'The process that parses a file stopped with code 1.' })
  const { cause } = error as { cause: Error }
  expect([cause.name, cause.stack]).toEqual(['TypeError', expect.stringMatching(/^TypeError\n {4}at read \(file:.*mjs:2:9\)/)])
  expect(`${cause.message} ${cause.stack}`).not.toMatch(/Lime|lab/)
})
