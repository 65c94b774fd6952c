import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getTraitRecords } from '../../../contracts/observations.ts'
import { createTrait, listTraits, type Trait } from '../../../contracts/traits.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field.tsx'
import { newId } from '../offline/ids.ts'
import { directionWords } from './trait-words.ts'
import { type UsualTrait, usualTraits } from './usual-traits.ts'

type UsualSetDialogProps = { huntId: string; traits: readonly Trait[]; onOpenChange: (open: boolean) => void }

/** A first set of traits to choose from. All of it can be changed later. */
export function UsualSetDialog({ huntId, traits, onOpenChange }: UsualSetDialogProps) {
  const client = useQueryClient()
  const there = new Set(traits.map(({ name }) => name.toLowerCase()))
  const offered = usualTraits.filter(({ trait }) => !there.has(trait.name.toLowerCase()))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(offered.filter(({ isExpert }) => !isExpert).map(({ key }) => key)),
  )
  // Made once, so that a second try adds nothing twice.
  const [ids] = useState(() => new Map(usualTraits.map(({ key }) => [key, newId()])))
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function add() {
    setSaving(true)
    setFailure(null)
    try {
      // One after the other: they stand in this order.
      for (const { key, trait, isExpert } of offered.filter((each) => chosen.has(each.key))) {
        await call(createTrait, { params: { id: huntId }, body: { ...trait, isExpert, id: ids.get(key) } })
      }
      onOpenChange(false)
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setSaving(false)
      await Promise.all([listTraits, getTraitRecords].map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
    }
  }

  const toggle = (key: string) => setChosen(new Set(chosen.has(key) ? [...chosen].filter((each) => each !== key) : [...chosen, key]))
  const groups = [
    { title: 'Usual', of: offered.filter(({ isExpert }) => !isExpert) },
    { title: 'For experts', of: offered.filter(({ isExpert }) => isExpert) },
  ]
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title="Start with a usual set"
        description="Bounds and weights in it are suggestions: set your own under each trait. You can add, change and archive traits at any time."
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button onClick={() => void add()} pending={isSaving} pendingText="Adding..." disabled={chosen.size === 0} className="min-h-12">
              {chosen.size === 1 ? 'Add 1 trait' : `Add ${chosen.size} traits`}
            </Button>
          </>
        }
      >
        <div className="grid gap-6">
          {offered.length === 0 && <p className="text-muted">This hunt has all of them.</p>}
          {groups.map(({ title, of }) => (
            <fieldset key={title} className="grid gap-3 empty:hidden" hidden={of.length === 0}>
              <legend className="mb-2 font-medium">{title}</legend>
              {of.map((each) => (
                <Checkbox key={each.key} checked={chosen.has(each.key)} onChange={() => toggle(each.key)} hint={hintOf(each)}>
                  {each.trait.name}
                </Checkbox>
              ))}
            </fieldset>
          ))}
          {failure && (
            <div role="alert">
              <FieldError>{failure}</FieldError>
            </div>
          )}
        </div>
      </DialogContent>
    </Dialog>
  )
}

function hintOf({ why, trait }: UsualTrait): string {
  const { direction = 'none', low, high, target, unit = '', kind } = trait
  if (direction === 'none' || kind === 'ordinal') return `${why}.`
  const of = unit === '' ? '' : ` ${unit}`
  const range = direction === 'target' ? `${target}${of} within ${low} to ${high}${of}` : `${low} to ${high}${of}`
  return `${why}. Suggested: ${directionWords[direction].toLowerCase()}, ${range}.`
}
