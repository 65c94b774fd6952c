import { useState } from 'react'
import type { GrowLog } from '../../../contracts/grow-logs.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast-store.ts'
import { logFields } from './log-fields.ts'
import { type Entry, writeLogs } from './log-writes.ts'
import { type LogPlant, nameOfLog } from './plant-names.ts'

type CopyLogProps = { log: GrowLog; plants: readonly LogPlant[]; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** The same entry for many plants. Each gets a log of its own; photos stay with the one that they show. */
export function CopyLog({ log, plants, isOpen, onOpenChange }: CopyLogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const others = plants.filter(({ id, isAlive }) => isAlive && id !== log.plant?.id)
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }

  async function copy() {
    const said = Object.fromEntries(logFields.map(({ key }) => [key, key === 'week' && !log.isWeekStated ? null : log[key]]))
    const entries = [...chosen].map((plantId): Entry => ({ ...said, loggedOn: log.loggedOn, plantId }))
    try {
      await writeLogs(log.huntId, entries)
      toast({ title: entries.length === 1 ? 'Copied to 1 plant' : `Copied to ${entries.length} plants` })
      onOpenChange(false)
    } catch (error) {
      toast({
        title: 'The copies could not be kept',
        description: error instanceof Error ? error.message : 'Please try again.',
        variant: 'destructive',
      })
    }
  }

  const areAll = chosen.size === others.length
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title={`Copy the log of ${nameOfLog(log)}`}
        description="Everything but the photos, as a log of its own for each plant."
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button size="lg" disabled={chosen.size === 0} onClick={() => void copy()}>
              {chosen.size === 0 ? 'Copy' : chosen.size === 1 ? 'Copy to 1 plant' : `Copy to ${chosen.size} plants`}
            </Button>
          </>
        }
      >
        <div className="grid gap-3">
          <Button
            variant="secondary"
            size="lg"
            className="justify-self-start"
            onClick={() => setChosen(areAll ? new Set() : new Set(others.map(({ id }) => id)))}
          >
            {areAll ? 'None' : 'All living plants'}
          </Button>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-2">
            {others.map(({ id, name, label }) => (
              <button
                key={id}
                type="button"
                aria-pressed={chosen.has(id)}
                onClick={() => toggle(id)}
                className={cx(
                  'grid min-h-14 place-items-center content-center rounded-input border px-1',
                  chosen.has(id) ? 'border-leaf bg-leaf-soft text-leaf' : 'border-edge bg-surface hover:bg-sunk',
                )}
              >
                <span className="font-semibold text-lg tabular-nums">{name}</span>
                {label !== '' && <span className="max-w-full truncate text-xs">{label}</span>}
              </button>
            ))}
          </div>
          {others.length === 0 && <p className="text-muted">There is no other living plant in this hunt.</p>}
        </div>
      </DialogContent>
    </Dialog>
  )
}
