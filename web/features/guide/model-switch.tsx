import type { GuideProgress } from '../../../contracts/guide.ts'
import { Switch } from '../../ui/switch.tsx'
import { useKeepProgress } from './guide.api.ts'

type ModelSwitchProps = { progress: GuideProgress; className?: string }

/** Whether a language model elsewhere may word answers; only where this server has one, and off until somebody turns it on. */
export function ModelSwitch({ progress: { modelHost, usesModel }, className }: ModelSwitchProps) {
  const keep = useKeepProgress()
  if (modelHost === null) return null
  return (
    <Switch
      checked={usesModel}
      onChange={(event) => keep({ usesModel: event.target.checked })}
      className={className}
      hint={`What you ask the guide, your first name, interests and kind of account then go to ${modelHost}, with the pages that were found. Nothing else.`}
    >
      Let a language model word the guide’s answers
    </Switch>
  )
}
