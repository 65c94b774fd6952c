import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { endPlants, makeDecisions } from '#contracts/calls/plants.ts'
import { sampleGenotype, samplePlant } from './sample-plants.test-support.ts'

const web = vi.hoisted(() => ({ call: vi.fn(), enqueue: vi.fn() }))
vi.mock('#web/lib/call.ts', async (original) => ({ ...(await original<object>()), call: web.call }))
vi.mock('#web/entities/offline/enqueue.ts', () => ({ enqueue: web.enqueue }))
vi.stubGlobal('navigator', { onLine: true })
const { recordDecisions, recordEnd, restoredHarvest } = await import('./plant-writes.ts')

afterEach(() => void vi.restoreAllMocks())

test('restores a deleted harvest with its ID, and ends the plant again only if the harvest had ended it', () => {
  const facts = {
    harvestedOn: '2026-03-02',
    flowerDays: 63,
    wetGrams: 400,
    dryGrams: 96,
    trimGrams: null,
    washYieldPercent: null,
    notes: '',
  }
  const harvest = { ...facts, id: 'h', huntId: 'hunt', plantId: 'p', genotypeId: 'genotype', runId: null, version: 4 }
  const harvests = [{ ...facts, id: 'h', plantId: 'p' }]
  const ended = samplePlant('p', { endedHow: 'harvested', endedOn: '2026-03-02' })
  const restored = (plant: typeof ended, others: (typeof ended)[] = []) =>
    restoredHarvest(sampleGenotype(1, [plant, ...others]), plant, harvest)
  expect(restored(ended)).toEqual({ harvests, endsPlants: true, confirmLastCopies: ['#1'] })
  expect(restored(ended, [samplePlant('clone')])).toEqual({ harvests, endsPlants: true, confirmLastCopies: [] })
  const notEndedByIt = { harvests, endsPlants: false, confirmLastCopies: [] }
  expect(restored(samplePlant('p'))).toEqual(notEndedByIt)
  expect(restored(samplePlant('p', { endedHow: 'died', endedOn: '2026-03-02' }))).toEqual(notEndedByIt)
})

test('queues a decision and the end of plants if the server doesn’t respond within 10 seconds', async () => {
  const limits: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms)
    return AbortSignal.abort(new DOMException('', 'TimeoutError'))
  })
  web.call.mockImplementation(async (_endpoint, _input, options: { signal?: AbortSignal } = {}) => {
    options.signal?.throwIfAborted()
    return []
  })
  const client = new QueryClient()
  const decision = { genotypes: [], kind: 'keep' as const, reason: '', decidedOn: '2026-03-02', endPlantIds: [], confirmLastCopies: [] }
  expect(await recordDecisions(client, 'h', decision)).toEqual({ isQueued: true })
  expect(await recordEnd(client, 'h', { plants: [], endedHow: 'died', endedOn: '2026-03-02', confirmLastCopies: [] })).toEqual({
    isQueued: true,
  })
  expect(web.enqueue.mock.calls).toEqual(
    [makeDecisions, endPlants].map((endpoint) => [endpoint, expect.anything(), expect.objectContaining({ mayHaveArrived: true })]),
  )
  expect(Math.max(...limits)).toBeLessThan(10_000)
})
