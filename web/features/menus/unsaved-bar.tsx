import { Redo2, Undo2 } from 'lucide-react'
import { messageOf } from '../../lib/api-error.ts'
import { counted } from '../../lib/counted.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { columnOf } from './menu-columns.ts'
import type { CellErrors, Conflict, Edits } from './menu-edits.ts'
import type { MenuEdits } from './use-menu-edits.ts'

type UnsavedBarProps = {
  edits: Edits
  errors: CellErrors
  conflicts: readonly Conflict[]
  steps: Pick<MenuEdits, 'canUndo' | 'canRedo' | 'undo' | 'redo'>
  isSaving: boolean
  error: unknown
  onSave: () => void
  onDiscard: () => void
  /** Goes to the first cell with an error. */
  onFirstError: () => void
  onKeepMine: (id: string) => void
  onTakeTheirs: (id: string) => void
}

const count = (all: Readonly<Record<string, object>>) => Object.values(all).reduce((sum, cells) => sum + Object.keys(cells).length, 0)

/** What is typed and not saved: save it, discard it, and settle what somebody else has changed meanwhile. */
export function UnsavedBar({ edits, errors, conflicts, steps, isSaving, error, ...props }: UnsavedBarProps) {
  const rows = Object.keys(edits).length
  const wrong = count(errors)
  if (rows === 0) return null
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom)+0.5rem)] z-20 mt-4 animate-arrive rounded-card border border-line bg-raised shadow-lift"
    >
      {conflicts.length > 0 && (
        <div className="max-h-64 overflow-y-auto border-line border-b px-4 py-3" role="alert">
          <p className="font-medium">
            {conflicts.length === 1
              ? 'Somebody else has changed the same item'
              : `Somebody else has changed ${conflicts.length} of these items`}
          </p>
          <ul className="mt-2 grid gap-2">
            {conflicts.map(({ id, name, cells }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-input bg-clay-soft px-3 py-2 text-sm"
              >
                <span className="min-w-0">
                  <b className="font-semibold">{name}</b>
                  {cells.map(({ key, theirs, mine }) => (
                    <span key={key} className="block tabular-nums">
                      {columnOf(key).label}: theirs {theirs || 'empty'}, yours {mine || 'empty'}
                    </span>
                  ))}
                </span>
                <span className="flex gap-2">
                  <Button variant="secondary" size="sm" onClick={() => props.onTakeTheirs(id)} aria-label={`Take theirs for ${name}`}>
                    Take theirs
                  </Button>
                  <Button variant="secondary" size="sm" onClick={() => props.onKeepMine(id)} aria-label={`Keep mine for ${name}`}>
                    Keep mine
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {error !== null && conflicts.length === 0 && (
        <div role="alert" className="border-line border-b px-4 py-3">
          <FieldError>Not everything was saved. {messageOf(error)}</FieldError>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
        <p role="status" className="font-medium text-sm tabular-nums">
          {counted(rows, 'item')} with unsaved changes
        </p>
        {wrong > 0 && (
          <button
            type="button"
            onClick={props.onFirstError}
            className="touch-target rounded-tag font-medium text-clay text-sm underline underline-offset-3"
          >
            {wrong === 1 ? '1 cell needs a look' : `${wrong} cells need a look`}
          </button>
        )}
        <span className="ml-auto flex items-center gap-2">
          <IconButton label="Undo" size="sm" disabled={!steps.canUndo} onClick={steps.undo}>
            <Undo2 aria-hidden="true" />
          </IconButton>
          <IconButton label="Redo" size="sm" disabled={!steps.canRedo} onClick={steps.redo}>
            <Redo2 aria-hidden="true" />
          </IconButton>
          <Button variant="quiet" size="sm" onClick={props.onDiscard} disabled={isSaving}>
            Discard
          </Button>
          <Button size="sm" pending={isSaving} pendingText="Saving..." onClick={props.onSave} disabled={conflicts.length > 0}>
            Save changes
          </Button>
        </span>
      </div>
    </section>
  )
}
