import { useQuery } from '@tanstack/react-query'
import { progressOptions } from '../guide/guide.api.ts'
import { ModelSwitch } from '../guide/model-switch.tsx'
import { SwitchRow } from './settings-rows.tsx'

/** Only where this server has a language model. */
export function GuideModel() {
  const { data: progress } = useQuery(progressOptions)
  if (!progress?.modelHost) return null
  return (
    <SwitchRow>
      <ModelSwitch progress={progress} />
    </SwitchRow>
  )
}
