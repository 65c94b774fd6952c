import { ShieldAlert } from 'lucide-react'
import type { EndKind, Genotype } from '#contracts/plants.ts'
import { typedNames } from '#web/entities/offline/use-outbox.ts'
import { formatList } from '#web/lib/format.ts'
import { cx } from '#web/ui/cx.ts'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { fullName, livingOf } from './plant-words.ts'

type LastCopyLockProps = {
  genotypes: readonly Genotype[]
  /** "cull", "harvest", "give away" */
  action: string
  typed: string
  onTyped: (text: string) => void
  error?: string | null
}

/** Shown next to the input, because the form's end may be out of view. */
export const lockError = 'Type the numbers first. You can’t bring back a last copy.'

const maxShown = 60

export function LastCopyLock({ genotypes, action, typed, onTyped, error = null }: LastCopyLockProps) {
  if (genotypes.length === 0) return null
  const confirmed = new Set(typedNames(typed, genotypes))
  const [only] = genotypes
  const isOne = genotypes.length === 1 && only !== undefined
  const keepers = genotypes.filter(({ standing }) => standing === 'keep' || standing === 'breed')
  const missing = genotypes.length - confirmed.size
  return (
    <div className="grid gap-3 rounded-card border border-clay bg-clay-soft p-4">
      <p className="flex gap-2.5 font-medium">
        <ShieldAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-clay" />
        <span>
          {isOne
            ? `${fullName(only)} has no other living copy.`
            : `${genotypes.length} of these have no other living copy. You can’t bring them back.`}
        </span>
      </p>
      {keepers.length > 0 && (
        <p className="font-semibold text-clay">
          {isOne ? 'It’s marked' : `${formatList(keepers.map(({ name }) => name))} ${keepers.length === 1 ? 'is' : 'are'} marked`} to keep
          or breed with. Cut a clone first unless you’re sure.
        </p>
      )}
      {!isOne && (
        <ul className="flex flex-wrap gap-1.5">
          {genotypes.slice(0, maxShown).map((genotype) => (
            <li
              key={genotype.id}
              className={cx(
                'rounded-full border px-2.5 py-0.5 text-sm tabular-nums',
                confirmed.has(genotype.name) ? 'border-clay bg-clay text-on-clay' : 'border-edge bg-surface',
              )}
            >
              {fullName(genotype)}
              <span className="sr-only">{confirmed.has(genotype.name) ? ', confirmed' : ', not confirmed'}</span>
            </li>
          ))}
          {genotypes.length > maxShown && <li className="self-center text-sm">and {genotypes.length - maxShown} more</li>}
        </ul>
      )}
      <Field
        label={isOne ? `Type ${only.name} to ${action} it` : `Type their numbers to ${action} them`}
        hint={isOne ? undefined : 'For example: 3, 5, 12-15'}
      >
        <Input
          value={typed}
          onChange={(event) => onTyped(event.target.value)}
          aria-invalid={error !== null}
          autoComplete="off"
          spellCheck={false}
          className="min-h-12 text-lg tabular-nums"
        />
      </Field>
      <FormError>{error}</FormError>
      <p role="status" className="text-sm">
        {isOne ? '' : missing === 0 ? 'All confirmed.' : `${missing} left to type.`}
      </p>
    </div>
  )
}

/** People must type these genotypes' numbers, because their last copy would be lost. The server has the same rule. Deaths are exempt. */
export function lastCopiesAmong(genotypes: readonly Genotype[], plantIds: ReadonlySet<string>, endedHow: EndKind): Genotype[] {
  if (endedHow === 'died') return []
  return genotypes.filter((genotype) => {
    const living = livingOf(genotype)
    return living.length > 0 && living.every(({ id }) => plantIds.has(id))
  })
}
