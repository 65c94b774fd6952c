import type { Media } from '#contracts/media.ts'
import type { PlotColumn } from './plot-table.ts'

export type DayPhoto = {
  photoId: string
  plantId: string
  plantName: string
  /** Milliseconds since 1970. */
  takenAt: number
  media: Media
}

export type PlantPhotos = { plantId: string; plantName: string; photos: DayPhoto[] }

/** Groups photos by plant, in chronological order; plants keep the given order. */
export function photosByPlant(photos: readonly DayPhoto[]): PlantPhotos[] {
  return [...Map.groupBy(photos, ({ plantId }) => plantId)].map(([plantId, group]) => ({
    plantId,
    plantName: group[0]?.plantName ?? '',
    photos: group.toSorted((one, other) => one.takenAt - other.takenAt),
  }))
}

export function photoColumns(timeZone: string | undefined): PlotColumn<DayPhoto>[] {
  return [
    { key: 'plant', label: 'Plant', value: ({ plantName }) => plantName },
    { key: 'taken', label: 'Taken', kind: 'moment', timeZone, value: ({ takenAt }) => takenAt },
    { key: 'alt', label: 'What it shows', value: ({ media }) => media.alt || null },
    { key: 'width', label: 'Width', unit: 'px', kind: 'number', value: ({ media }) => media.width },
    { key: 'height', label: 'Height', unit: 'px', kind: 'number', value: ({ media }) => media.height },
  ]
}
