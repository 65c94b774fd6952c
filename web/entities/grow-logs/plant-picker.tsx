import { Delete } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { type LogPlant, plantsFor } from './plant-names.ts'

type PlantPickerProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  plants: readonly LogPlant[]
  chosenId: string | null
  /** Null for the whole hunt. */
  onChoose: (plant: LogPlant | null) => void
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '-', '0']
const maxShown = 60

export function PlantPicker({ isOpen, onOpenChange, plants, chosenId, onChoose }: PlantPickerProps) {
  const [typed, setTyped] = useState('')
  const found = plantsFor(typed, plants)
  const living = found.filter(({ isAlive }) => isAlive)
  const shown = [...living, ...found.filter(({ isAlive }) => !isAlive)].slice(0, maxShown)

  function choose(plant: LogPlant | null) {
    setTyped('')
    onOpenChange(false)
    onChoose(plant)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const [first] = shown
    if (first && typed.trim() !== '') choose(first)
  }

  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent title="Which plant?" description="Its number, or the code on its label." size="md">
        <div className="grid gap-4 sm:grid-cols-[15rem_1fr]">
          <form onSubmit={submit} className="grid content-start gap-2">
            <Field label="Number or code">
              <Input
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                className="min-h-12 text-center text-xl tabular-nums"
              />
            </Field>
            <div className="grid grid-cols-3 gap-2">
              {digits.map((digit) => (
                <Button
                  key={digit}
                  variant="secondary"
                  size="lg"
                  className="px-0 text-xl"
                  aria-label={digit === '-' ? 'Clone' : digit}
                  onClick={() => setTyped(typed + digit)}
                >
                  {digit}
                </Button>
              ))}
              <Button
                variant="secondary"
                size="lg"
                className="px-0"
                aria-label="Delete last character"
                onClick={() => setTyped(typed.slice(0, -1))}
              >
                <Delete aria-hidden="true" />
              </Button>
            </div>
            <Button type="submit" size="lg" disabled={typed.trim() === '' || shown.length === 0}>
              {typed.trim() !== '' && shown[0] ? `Log ${shown[0].name}` : 'Log plant'}
            </Button>
          </form>
          <div className="grid content-start gap-2">
            <div className="grid max-h-[46dvh] grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] content-start gap-2 overflow-y-auto p-0.5">
              {typed.trim() === '' && (
                <PlantButton isChosen={chosenId === null} onClick={() => choose(null)} className="col-span-2">
                  Whole hunt
                </PlantButton>
              )}
              {shown.map((plant) => (
                <PlantButton key={plant.id} isChosen={plant.id === chosenId} onClick={() => choose(plant)}>
                  <span className="font-semibold text-lg tabular-nums">{plant.name}</span>
                  {!plant.isAlive && <span className="text-xs">ended</span>}
                  {plant.isAlive && plant.label !== '' && <span className="max-w-full truncate text-xs">{plant.label}</span>}
                </PlantButton>
              ))}
            </div>
            {shown.length === 0 && (
              <p role="status" className="text-muted text-sm">
                No plant in this hunt has that number or code.
              </p>
            )}
            {found.length > shown.length && (
              <p className="text-muted text-sm">Type a number to see the other {found.length - shown.length}.</p>
            )}
          </div>
        </div>
      </DialogContent>
    </Dialog>
  )
}

type PlantButtonProps = { isChosen: boolean; onClick: () => void; className?: string; children: ReactNode }

const PlantButton = ({ isChosen, onClick, className, children }: PlantButtonProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    onClick={onClick}
    className={cx(
      'grid min-h-14 place-items-center content-center rounded-input border px-1',
      isChosen ? 'border-leaf bg-leaf-soft text-leaf' : 'border-edge bg-surface hover:bg-sunk',
      className,
    )}
  >
    {children}
  </button>
)
