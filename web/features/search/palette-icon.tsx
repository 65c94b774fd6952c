import { Clock, Compass, Keyboard, Search, Trash2 } from 'lucide-react'
import { HitPicture } from './hit-picture.tsx'
import type { PaletteRow } from './palette-rows.ts'

/** What stands before a row of the palette. */
export function PaletteIcon({ row }: { row: PaletteRow }) {
  if (row.type === 'hit') return <HitPicture hit={row.hit} size="sm" />
  const Icon = row.type === 'command' ? row.command.Icon : icons[row.type]
  return (
    <span className="grid size-8 shrink-0 place-items-center text-muted">
      <Icon aria-hidden="true" className="size-4.5" />
    </span>
  )
}

const icons = { recent: Clock, 'clear-recent': Trash2, everything: Search, places: Compass, 'slash-key': Keyboard }
