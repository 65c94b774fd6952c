import type { ModerationAction, ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { Chip } from '../../ui/chip.tsx'
import { FieldError } from '../../ui/field.tsx'
import { subjectWords } from '../reports/report-words.ts'
import { actionGroups } from './decision-draft.ts'
import { actionMeanings, actionNames } from './desk-words.ts'

type ActionChoiceProps = {
  item: ModerationCaseDetail
  /** Those that the viewer may choose, in the order in which the keys count them. */
  open: readonly ModerationAction[]
  chosen: readonly ModerationAction[]
  onToggle: (action: ModerationAction) => void
  error: string | undefined
}

/** One thing at most for what it is about, and one for the person. */
export function ActionChoice({ item, open, chosen, onToggle, error }: ActionChoiceProps) {
  const groups = [
    { name: `The ${subjectWords[item.subject]}`, actions: open.filter((action) => !actionGroups.people.includes(action)) },
    { name: item.person?.name ?? 'The person', actions: open.filter((action) => actionGroups.people.includes(action)) },
  ].filter(({ actions }) => actions.length > 0)
  return (
    <div className="grid gap-4">
      {groups.map(({ name, actions }) => (
        <fieldset key={name} className="min-w-0">
          <legend className="mb-2 max-w-full truncate font-medium text-sm">{name}</legend>
          <div className="flex flex-wrap gap-2">
            {actions.map((action) => (
              <Chip
                key={action}
                pressed={chosen.includes(action)}
                // Where the first error takes the focus.
                aria-invalid={error ? true : undefined}
                title={actionMeanings[action]}
                onClick={() => onToggle(action)}
              >
                <span aria-hidden="true" className="text-xs tabular-nums opacity-70 pointer-coarse:hidden">
                  {open.indexOf(action) + 1}
                </span>
                {actionNames[action]}
              </Chip>
            ))}
          </div>
        </fieldset>
      ))}
      <div aria-live="polite" className="grid gap-0.5 text-muted text-sm empty:hidden">
        {chosen.map((action) => (
          <p key={action}>
            {actionNames[action]}: {lowerFirst(actionMeanings[action])}.
          </p>
        ))}
      </div>
      {error && <FieldError>{error}</FieldError>}
    </div>
  )
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
