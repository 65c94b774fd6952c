import { useEffect, useState } from 'react'
import type { Texts } from './expert-fields.tsx'
import { today } from './plant-names.ts'

/** What is typed and not saved yet, and what stays from plant to plant. */
export type QuickDraft = {
  plantId: string | null
  day: string
  /** Which day "today" was when this was last touched: a walk of yesterday does not set the day of today's. */
  touchedOn: string
  /** By the fields of a log, as typed. */
  texts: Texts
  /** The expert fields stand from the plant before, and nobody has changed them since. */
  isRepeated: boolean
}

const keyOf = (huntId: string) => `quick-log:${huntId}`

export const emptyDraft = (plantId: string | null): QuickDraft => ({
  plantId,
  day: today(),
  touchedOn: today(),
  texts: {},
  isRepeated: false,
})

function read(huntId: string): QuickDraft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(huntId)) ?? 'null') as QuickDraft | null
    return kept && typeof kept.texts === 'object' && kept.touchedOn === today() ? kept : null
  } catch {
    return null
  }
}

/** What was typed survives a reload and signing in again. */
export function useQuickDraft(huntId: string, firstPlantId: string | null) {
  const [draft, setDraft] = useState<QuickDraft>(() => {
    const kept = read(huntId)
    return kept && (firstPlantId === null || kept.plantId === firstPlantId)
      ? kept
      : { ...(kept ?? emptyDraft(null)), plantId: firstPlantId ?? kept?.plantId ?? null }
  })
  useEffect(() => {
    try {
      sessionStorage.setItem(keyOf(huntId), JSON.stringify(draft))
    } catch {
      // It holds for this visit.
    }
  }, [huntId, draft])
  return [draft, setDraft] as const
}

const photosOf = new Map<string, readonly File[]>()

/** The photos of a log that is not saved yet. They survive a look at another tab of the hunt, but no reload. */
export function useQuickPhotos(huntId: string) {
  const [photos, setPhotos] = useState<readonly File[]>(() => photosOf.get(huntId) ?? [])
  const choose = (next: readonly File[]) => {
    setPhotos(next)
    if (next.length > 0) photosOf.set(huntId, next)
    else photosOf.delete(huntId)
  }
  return [photos, choose] as const
}

const ofOnePlant = ['heightCm', 'rating', 'notes', 'week', 'training']

/** After a log is saved: the room is the same for the next plant, its height and rating are its own. */
export function forNextPlant(draft: QuickDraft, plantId: string | null): QuickDraft {
  const texts = Object.fromEntries(Object.entries(draft.texts).filter(([key, text]) => !ofOnePlant.includes(key) && text !== ''))
  return { ...draft, plantId, texts, isRepeated: Object.keys(texts).length > 0 }
}
