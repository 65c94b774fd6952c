import { CalendarDays, CircleSlash, Gavel, LayoutGrid, NotebookPen, Scissors, Venus, X } from 'lucide-react'
import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'

const CutDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).CutDialog)
const SexDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).SexDialog)
const DatesDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).DatesDialog)
const PlaceDialog = lazyDialog(async () => (await import('./bulk-dialogs.tsx')).PlaceDialog)
const EndDialog = lazyDialog(async () => (await import('./end-dialog.tsx')).EndDialog)
const DecideDialog = lazyDialog(async () => (await import('./decide-dialog.tsx')).DecideDialog)
const LogDialog = lazyDialog(async () => (await import('./log-dialog.tsx')).LogDialog)

const actions = [
  { key: 'decide', name: 'Decide', Icon: Gavel },
  { key: 'log', name: 'Log', Icon: NotebookPen },
  { key: 'cut', name: 'Clone', Icon: Scissors },
  { key: 'sex', name: 'Sex', Icon: Venus },
  { key: 'place', name: 'Place', Icon: LayoutGrid },
  { key: 'dates', name: 'Dates', Icon: CalendarDays },
  { key: 'end', name: 'End', Icon: CircleSlash },
] as const
type Action = (typeof actions)[number]['key']

/** What can be done to all that are chosen, in reach of a thumb. */
export function BulkBar({ hunt, genotypes, onClear }: { hunt: Hunt; genotypes: readonly Genotype[]; onClear: () => void }) {
  const [open, setOpen] = useState<Action | null>(null)
  const dialog = { huntId: hunt.id, genotypes, onOpenChange: (isOpen: boolean) => !isOpen && setOpen(null), onDone: onClear }
  return (
    <section
      aria-label={`${genotypes.length} chosen`}
      className="sticky bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-10 -mx-2 flex animate-appear items-center gap-1 rounded-card border border-edge/60 bg-raised p-1.5 shadow-lift max-md:bottom-[calc(4.5rem+env(safe-area-inset-bottom))]"
    >
      <IconButton label="Choose none" onClick={onClear} className="min-h-12 min-w-12">
        <X aria-hidden="true" />
      </IconButton>
      <span className="shrink-0 pr-2 font-semibold tabular-nums">{genotypes.length}</span>
      <div className="flex min-w-0 flex-1 gap-1 overflow-x-auto [scrollbar-width:none]">
        {actions.map(({ key, name, Icon }) => (
          <Button
            key={key}
            variant={key === 'decide' ? 'primary' : 'quiet'}
            size="lg"
            onClick={() => setOpen(key)}
            className="max-sm:min-h-14 max-sm:min-w-14 max-sm:flex-col max-sm:gap-0.5 max-sm:px-1.5 max-sm:py-1 max-sm:text-xs sm:px-3.5"
          >
            <Icon aria-hidden="true" />
            {name}
          </Button>
        ))}
      </div>
      {open === 'cut' && <CutDialog {...dialog} />}
      {open === 'sex' && <SexDialog {...dialog} />}
      {open === 'dates' && <DatesDialog {...dialog} />}
      {open === 'place' && <PlaceDialog {...dialog} />}
      {open === 'end' && <EndDialog {...dialog} />}
      {open === 'decide' && <DecideDialog {...dialog} />}
      {open === 'log' && <LogDialog {...dialog} hunt={hunt} />}
    </section>
  )
}
