import type { GuideProgress } from '#contracts/guide.endpoints.ts'
import { Switch } from '#web/ui/switch.tsx'
import { useSaveProgress } from './guide.api.ts'

type ModelSwitchProps = { progress: GuideProgress; className?: string }

/** Lets an external language model phrase answers. Off by default, and only shown if the server has one configured. */
export function ModelSwitch({ progress: { modelHost, usesModel }, className }: ModelSwitchProps) {
  const saveProgress = useSaveProgress()
  if (modelHost === null) return null
  return (
    <Switch
      checked={usesModel}
      onChange={(event) => saveProgress({ usesModel: event.target.checked })}
      className={className}
      hint={`Sends ${modelHost} only your question, first name, interests, account type and the pages found.`}
    >
      Let a language model write the guide’s answers
    </Switch>
  )
}
