import { useEffect, useState } from 'react'
import { counted } from '#web/lib/format.ts'
import { createListeners, useStore } from '#web/lib/store.ts'
import { typedNumber } from '#web/lib/units.ts'
import { cachedSinceStore } from './cache-offline.ts'
import { outboxDb } from './offline-db.ts'
import type { Discarded, Hold, QueuedItems, QueuedPhoto, QueuedWrite, ServerVersion } from './outbox.ts'
import { type Connectivity, connectivity } from './reach.ts'
import { forceWrite } from './send-write.ts'
import { refresh, requireOutbox, type SyncState, sync, syncStore } from './sync.ts'

export const useSync = (): SyncState => useStore(syncStore)

export const useConnectivity = (): Connectivity => useStore(connectivity)

/** Null if everything on screen is fresh. */
export const useCachedSince = (): number | null => useStore(cachedSinceStore)

/**
 * - `waiting`: for the network or its turn
 * - `arrived`: the server has it; the list is being refetched
 * - `refused`, `conflict`: waits for the person's decision, described by `hold`
 * - `gone`: sent, or discarded in another tab
 */
export type PendingWrite = {
  id: string
  status: 'waiting' | 'sending' | 'arrived' | 'refused' | 'conflict' | 'gone'
  method: string
  path: string
  params: Record<string, string>
  body: Record<string, unknown>
  title: string
  labels: Record<string, string>
  subjects: readonly string[]
  createdAt: number
  photos: readonly QueuedPhoto[]
  removedPhotos?: readonly string[] | undefined
  texts?: Record<string, string> | undefined
  items?: QueuedItems | undefined
  mayHaveArrived?: boolean | undefined
  hold: Hold | null
}

export type OutboxFilter = {
  subject?: string
  /** Such as `createGrowLog.path`. */
  path?: string
  method?: string
}

export function useOutbox({ subject, path, method }: OutboxFilter = {}): PendingWrite[] {
  const { waiting, arrived, sendingId } = useSync()
  return [
    ...arrived.map((write) => pending(write, 'arrived')),
    ...waiting.map((write) => pending(write, statusOf(write, sendingId))),
  ].filter(
    (each) =>
      (subject === undefined || each.subjects.includes(subject)) &&
      (path === undefined || each.path === path) &&
      (method === undefined || each.method === method),
  )
}

const statusOf = ({ id, hold }: QueuedWrite, sendingId: string | null): PendingWrite['status'] =>
  hold ? hold.kind : id === sendingId ? 'sending' : 'waiting'

function pending(write: QueuedWrite, status: PendingWrite['status']): PendingWrite {
  const { id, call, input, title, labels, subjects, createdAt, photos, removedPhotos, texts, items, mayHaveArrived, hold } = write
  const { params = {}, body = {} } = input as { params?: Record<string, string>; body?: Record<string, unknown> }
  const shown = { title, labels, subjects, createdAt, photos, removedPhotos, texts, items, mayHaveArrived, hold }
  return { id, status, method: call.method, path: call.path, params, body, ...shown }
}

/** Null while the photo loads, or if it no longer exists. */
export function usePhotoUrl(key: string): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let made: string | null = null
    let isGone = false
    void outboxDb
      .file(key)
      .catch(() => null)
      .then((blob) => {
        if (!blob || isGone) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [key])
  return url
}

/** Each function but `discard` resolves to whether the entry still existed. */
export const entryActions = {
  /** Sends the entry with corrections. In a conflict, overwrites the server's version. */
  async keepMine(id: string, corrections: Record<string, unknown> = {}): Promise<boolean> {
    const isThere = await requireOutbox().revise(id, (write) => forceWrite(write, corrections))
    void sync()
    return isThere
  },
  async sendWithoutPhotos(id: string): Promise<boolean> {
    const isThere = await requireOutbox().revise(id, (write) => ({ ...write, photos: [] }))
    void sync()
    return isThere
  },
  async sendOthers(id: string): Promise<boolean> {
    const isThere = await requireOutbox().sendOthers(id)
    void sync()
    return isThere
  },
  /** In a conflict, the server's version wins. Unless the result is `unsent`, undoing the entry takes another write. */
  async discard(id: string): Promise<Discarded> {
    const write = syncStore.get().waiting.find((each) => each.id === id)
    const discarded = await requireOutbox().discard(id)
    if (discarded !== 'gone' && write) entryDiscarded.notify(pending(write, statusOf(write, null)))
    if (discarded === 'unsure' && write) void refresh(write.refreshes)
    return discarded
  },
}

/** Runs when a person discards an entry, so that an open form no longer counts it as saved. */
export const entryDiscarded = createListeners<[write: PendingWrite]>()

export type RefusedHold = Extract<PendingWrite['hold'], { kind: 'refused' }>

/** For a refusal about last copies: the phenos to name, or those confirmed unnecessarily because they have other living copies. */
export function askedCopies({ lastCopies = [] }: RefusedHold, { confirmLastCopies }: PendingWrite['body']) {
  const confirmed = (confirmLastCopies ?? []) as string[]
  const isConfirmed = lastCopies.length > 0 && lastCopies.every((name) => confirmed.includes(name))
  return { missing: isConfirmed ? [] : lastCopies, without: isConfirmed ? confirmed.filter((name) => !lastCopies.includes(name)) : null }
}

/** Reads "#7", "7", "3, 5 and 9" and "12-15". A range includes all its numbers. Ignores numbers that weren't requested. */
export function typedNames(text: string, asked: readonly { number: number; name: string }[]): string[] {
  const stretches = [...text.matchAll(/(\d{1,10})(?:\s*[-–]\s*#?(\d{1,10}))?/g)].map(
    ([, first, last]) => [Number(first), Number(last ?? first)] as const,
  )
  return asked.filter(({ number }) => stretches.some(([first, last]) => number >= first && number <= last)).map(({ name }) => name)
}

type FieldVersions = { name: string; label: string; mine: unknown; theirs: unknown; isDifferent: boolean; isEditable: boolean }

type RefusedEntry = Pick<PendingWrite, 'body' | 'hold' | 'labels' | 'photos' | 'removedPhotos' | 'texts'>

/** Only fields that the person filled in. Each has the person's value and, in a conflict, the server's. */
export function versionsOf(entry: RefusedEntry): FieldVersions[] {
  const { body, hold, labels } = entry
  const theirs = hold?.kind === 'conflict' ? hold.theirs : null
  return Object.entries(labels).flatMap(([name, label]) => {
    if (!(name in body)) return []
    const special = specialFields[name]
    const mine = special ? special.mine(entry) : body[name]
    const other = special && theirs ? special.theirs(theirs) : theirs?.[name]
    return [{ name, label, mine, theirs: other, isDifferent: theirs !== null && words(mine) !== words(other), isEditable: !special }]
  })
}

export const isEditable = (write: PendingWrite): boolean => versionsOf(write).some((field) => field.isEditable)

/** Fields that hold IDs, which responses replace with what they refer to. */
const specialFields: Record<string, { mine: (entry: RefusedEntry) => string; theirs: (theirs: ServerVersion) => string }> = {
  plantId: {
    mine: ({ body, texts }) => (body.plantId === null ? 'Whole hunt' : (texts?.plantId ?? 'Another plant')),
    theirs({ plant }) {
      const { number, copy } = (plant ?? {}) as { number?: number; copy?: number }
      return number === undefined ? 'Whole hunt' : copy ? `#${number}-${copy}` : `#${number}`
    },
  },
  mediaIds: {
    mine({ photos, removedPhotos = [] }) {
      const added = photos.length > 0 ? `${photos.length} added` : ''
      const removed = removedPhotos.length > 0 ? `${removedPhotos.length} removed` : ''
      return [added, removed].filter((part) => part !== '').join(', ')
    },
    theirs: ({ photos }) => (Array.isArray(photos) && photos.length > 0 ? counted(photos.length, 'photo') : ''),
  },
}

export function words(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'Nothing'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? 'Nothing' : value.map(words).join(', ')
  if (typeof value === 'object') {
    const { name, title, label } = value as Record<string, unknown>
    return words(name ?? title ?? label)
  }
  return String(value)
}

/** Null if the value can't be corrected. An empty value takes the other version's type. */
export function inputKind({ mine, theirs }: Pick<FieldVersions, 'mine' | 'theirs'>): 'number' | 'text' | null {
  const known = mine ?? theirs
  return typeof known === 'number' ? 'number' : typeof known === 'string' ? 'text' : null
}

export function typedValue(kind: 'number' | 'text', text: string): string | number | null {
  if (kind === 'text') return text.trim()
  const number = typedNumber(text)
  return Number.isNaN(number) ? text : number
}

type RefusedItems = Pick<PendingWrite, 'body' | 'items' | 'labels'>

/** "#7: This day is in the future. You entered: Wet (g) 405." Fields that people can't see have no name. */
export function problemsOf(write: RefusedItems, { fields }: RefusedHold): string[] {
  const problems = Object.entries(fields).map(([name, problem]) => {
    const [field, place] = name.split('.')
    const item = field === write.items?.field ? write.items?.names[Number(place)] : undefined
    const label = item ?? write.labels[name]
    return `${label === undefined ? '' : `${label}: `}${problem}${item === undefined ? '' : enteredWords(write, Number(place))}`
  })
  return [...new Set(problems)]
}

function enteredWords({ body, items, labels }: RefusedItems, place: number): string {
  const item = (body[items?.field ?? ''] as Record<string, unknown>[] | undefined)?.[place]
  const labeled = Object.entries(labels).flatMap(([name, label]) => (item?.[name] == null ? [] : [`${label} ${words(item[name])}`]))
  const entered = items?.entered?.[place] ?? labeled.join(', ')
  return entered === '' ? '' : ` You entered: ${entered}.`
}
