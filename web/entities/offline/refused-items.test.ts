import 'fake-indexeddb/auto'
import { afterEach, describe, expect, test } from 'vitest'
import { forgetOfflineDb, outboxDb } from './offline-db.ts'
import { bodyOf, createOutbox, type QueuedWrite, titleOfItems } from './outbox.ts'

afterEach(forgetOfflineDb)

const account = 'a'

const tab = ({ send }: Pick<Parameters<typeof createOutbox>[0], 'send'>) =>
  createOutbox({ account, store: outboxDb, send, alone: (work) => work(), now: () => 0, onChange: () => {}, onArrived: () => {} })

const write = (id: string, details: Pick<QueuedWrite, 'input'> & Partial<QueuedWrite>): Omit<QueuedWrite, 'seq'> => ({
  ...{ id, account, call: { method: 'POST', path: '/api/pheno-hunts/:id/harvests' }, lane: 'h', subjects: [], title: id, labels: {} },
  ...{ photos: [], photosInto: 'mediaIds', thing: null, refreshes: [], createdAt: 0, hold: null, failures: 0, retryAt: 0 },
  ...details,
})

describe('a refused list', () => {
  test('is sent without the refused items, which wait for the person’s decision', async () => {
    const [harvests, names] = [['a', 'b', 'c', 'd'].map((plantId) => ({ plantId })), ['#7', '#7-2', '#8', '#9']]
    const body = { harvests, endsPlants: true, confirmLastCopies: ['#7', '#8', '#9'] }
    const sent: unknown[] = []
    const box = tab({
      send: async (queued) => {
        const asked = bodyOf(queued)
        sent.push(asked)
        return (asked.harvests as object[]).length > 2
          ? { kind: 'refused', message: 'No.', fields: { 'harvests.1.plantId': 'Has one.', 'harvests.2.plantId': 'Has one.' } }
          : { kind: 'arrived', answer: [] }
      },
    })
    const items = { field: 'harvests', names, noun: 'Harvest' }
    await box.add(write('batch', { input: { body }, items, title: 'Harvests of 4 plants' }), new Map())
    await box.flush()
    expect(await box.sendOthers('batch')).toBe(true)
    await box.flush()
    expect(sent.at(-1)).toEqual({ ...body, harvests: [{ plantId: 'a' }, { plantId: 'd' }], confirmLastCopies: ['#7', '#9'] })
    const left = await box.read()
    expect(left.map(bodyOf)).toEqual([{ ...body, harvests: [{ plantId: 'b' }, { plantId: 'c' }], confirmLastCopies: ['#7', '#8'] }])
    expect(left[0]).toMatchObject({
      title: 'Harvests of 2 plants',
      items: { names: ['#7-2', '#8'] },
      hold: { kind: 'refused', fields: { 'harvests.0.plantId': 'Has one.', 'harvests.1.plantId': 'Has one.' } },
    })
    expect(await box.sendOthers('batch')).toBe(false)
  })

  test('may have several items per plant', async () => {
    const box = tab({
      send: async (queued) =>
        (bodyOf(queued).observations as object[]).length === 4
          ? { kind: 'refused', message: 'No.', fields: { 'observations.1.traitId': 'Gone.', 'observations.3.traitId': 'Gone.' } }
          : { kind: 'arrived', answer: [] },
    })
    const items = {
      field: 'observations',
      names: ['#7', '#7', '#8', '#8'],
      noun: 'Score',
      entered: ['Vigor 8', 'Nose 3', 'Vigor 7', 'Nose 4'],
    }
    const observations = [1, 2, 3, 4].map((value) => ({ value }))
    await box.add(write('batch', { input: { body: { observations } }, items, title: 'Scores for 2 plants' }), new Map())
    await box.flush()
    await box.sendOthers('batch')
    await box.flush()
    const left = await box.read()
    expect(left.map(bodyOf)).toEqual([{ observations: [{ value: 2 }, { value: 4 }] }])
    expect(left).toMatchObject([{ title: 'Scores of 2 plants', items: { names: ['#7', '#8'], entered: ['Nose 3', 'Nose 4'] } }])
    expect(titleOfItems({ names: ['#7', '#7'], noun: 'Score' })).toBe('Scores of #7')
    expect(titleOfItems({ names: ['#7'], noun: 'Score' })).toBe('Score of #7')
  })

  describe('with a correction of a refused harvest', () => {
    async function refusedWithCorrection() {
      const sent: string[] = []
      let accepts = ['h-7']
      const box = tab({
        send: async ({ id, ...queued }) => {
          const harvests = (bodyOf(queued).harvests ?? []) as { id: string }[]
          const refused = harvests.flatMap((harvest, i) => (accepts.includes(harvest.id) ? [] : [[`harvests.${i}.plantId`, 'Has one.']]))
          if (refused.length > 0) return { kind: 'refused', message: 'No.', fields: Object.fromEntries(refused) }
          sent.push(harvests.map((harvest) => harvest.id).join() || id)
          return { kind: 'arrived', answer: [] }
        },
      })
      const items = { field: 'harvests', names: ['#7', '#8'], noun: 'Harvest' }
      await box.add(write('batch', { input: { body: { harvests: [{ id: 'h-7' }, { id: 'h-8' }] } }, items }), new Map())
      for (const of of ['h-7', 'h-8']) {
        await box.add(
          write(`correct ${of}`, { call: { method: 'PATCH', path: '/api/harvests/:id' }, input: { params: { id: of } } }),
          new Map(),
        )
      }
      await box.flush()
      await box.sendOthers('batch')
      await box.flush()
      const acceptAll = () => {
        accepts = ['h-7', 'h-8']
      }
      return { box, sent, acceptAll, refused: (await box.read()).find(({ hold }) => hold)?.id ?? '' }
    }

    test('sends the correction only after its harvest, once the others have been sent', async () => {
      const { box, sent, acceptAll, refused } = await refusedWithCorrection()
      expect(sent).toEqual(['h-7', 'correct h-7'])
      acceptAll()
      await box.revise(refused, (held) => held)
      await box.flush()
      expect(sent).toEqual(['h-7', 'correct h-7', 'h-8', 'correct h-8'])
    })

    test('discards the correction with the harvest', async () => {
      const { box, refused } = await refusedWithCorrection()
      expect(await box.discard(refused)).toBe('unsent')
      expect(await box.read()).toEqual([])
    })
  })
})
