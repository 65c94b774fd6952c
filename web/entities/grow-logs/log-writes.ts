import { uuidv7 } from 'uuidv7'
import {
  createGrowLog,
  createGrowLogs,
  deleteGrowLog,
  getGrowLog,
  getGrowth,
  getPhotosOfDay,
  listGrowLogs,
  restoreGrowLog,
  updateGrowLog,
} from '#contracts/calls/grow-logs.ts'
import type { GrowLog, GrowLogChange, NewGrowLogRow } from '#contracts/grow-logs.ts'
import { maxLogsAtOnce } from '#contracts/limits.ts'
import { type EnqueueOptions, enqueue } from '#web/entities/offline/enqueue.ts'
import { entryActions } from '#web/entities/offline/use-outbox.ts'
import { counted } from '#web/lib/format.ts'
import { formatDay, storedLabels } from './log-fields.ts'
import { nameOfLog } from './plant-names.ts'

const thing = { read: getGrowLog, change: updateGrowLog }
const refreshes = [listGrowLogs.path, getGrowth.path, getPhotosOfDay.path, '/api/pheno-hunts']

export type Entry = Partial<Omit<NewGrowLogRow, 'id' | 'mediaIds'>> & Pick<NewGrowLogRow, 'loggedOn'>

const subjectsOf = (plantId: string | null | undefined): Pick<EnqueueOptions, 'subjects'> => (plantId ? { subjects: [plantId] } : {})

/** "Log for #7, week 4" */
const titleOf = (name: string, week: number | null | undefined) => `Log for ${name}${week ? `, week ${week}` : ''}`

/** Queues the log on the device and sends it when online. @throws like `enqueue` */
export function writeLog(huntId: string, name: string, entry: Entry, photos: readonly File[] = []): Promise<string> {
  return enqueue(
    createGrowLog,
    { body: { ...entry, id: uuidv7(), huntId } },
    {
      ...{ lane: huntId, ...subjectsOf(entry.plantId), title: titleOf(name, entry.week), labels: storedLabels },
      ...{ texts: { plantId: name }, photos, thing, refreshes },
    },
  )
}

/** Batched by the server's limit per call. @throws like `enqueue` */
export async function writeLogs(huntId: string, entries: readonly Entry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += maxLogsAtOnce) {
    const logs = entries.slice(at, at + maxLogsAtOnce).map((entry) => ({ ...entry, id: uuidv7() }))
    const days = [...new Set(logs.map(({ loggedOn }) => formatDay(loggedOn)))].join(', ')
    const title = logs.length === 1 ? 'Log for 1 plant' : `Logs for ${counted(logs.length, 'plant')}, ${days}`
    await enqueue(createGrowLogs, { body: { huntId, logs } }, { lane: huntId, title, refreshes })
  }
}

/**
 * Sends the version that the person saw.
 * @param plant the name of the plant that the log is moved to, if it is moved
 * @throws like `enqueue`
 */
export function correctLog(
  log: GrowLog,
  change: Omit<GrowLogChange, 'version'>,
  { photos = [], plant = '' }: { photos?: readonly File[]; plant?: string } = {},
): Promise<string> {
  const { mediaIds } = change
  return enqueue(
    updateGrowLog,
    { params: { id: log.id }, body: { ...change, version: log.version } },
    {
      lane: log.huntId,
      ...subjectsOf(log.plant?.id),
      title: `Edited ${titleOf(nameOfLog(log), log.week).replace(/^L/, 'l')}`,
      labels: storedLabels,
      texts: { plantId: plant },
      photos,
      removedPhotos: mediaIds ? log.photos.flatMap(({ id }) => (mediaIds.includes(id) ? [] : [id])) : [],
      thing,
      refreshes: [...refreshes, getGrowLog.path],
    },
  )
}

export function removeLog(log: GrowLog): Promise<string> {
  return enqueue(
    deleteGrowLog,
    { params: { id: log.id }, query: { version: log.version } },
    {
      lane: log.huntId,
      ...subjectsOf(log.plant?.id),
      title: `Deleted ${titleOf(nameOfLog(log), log.week).replace(/^L/, 'l')}`,
      refreshes,
    },
  )
}

/** Discards the pending deletion, or restores the log if the deletion may have reached the server. @throws like `enqueue` */
export async function undoRemoval(log: GrowLog, entryId: string): Promise<void> {
  if ((await entryActions.discard(entryId)) === 'unsent') return
  await enqueue(
    restoreGrowLog,
    { params: { id: log.id } },
    {
      lane: log.huntId,
      ...subjectsOf(log.plant?.id),
      title: `Restored ${titleOf(nameOfLog(log), log.week).replace(/^L/, 'l')}`,
      refreshes,
    },
  )
}
