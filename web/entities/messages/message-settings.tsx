import { useQuery } from '@tanstack/react-query'
import type { MessageSettings as Settings } from '#contracts/messages.endpoints.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { RetryLine } from '#web/ui/error-state.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { messageSettings, messageSettingsOptions } from './messages.api.ts'

type Name = keyof Settings

type Control<Value> = [Value] extends [string]
  ? { label: string; options: readonly { value: Value; title: string; description: string }[] }
  : { label: string; hint: string }

const controls: { [Of in Name]: Control<Settings[Of]> } = {
  takesMessagesFrom: {
    label: 'Who can start a conversation with you?',
    options: [
      { value: 'everybody', title: 'Everyone', description: 'First messages from people you don’t follow arrive as requests.' },
      {
        value: 'followed',
        title: 'People you follow',
        description: 'Only people you follow and businesses you subscribe to can start a conversation with you.',
      },
      { value: 'nobody', title: 'No one', description: 'Existing conversations continue.' },
    ],
  },
  showsReadMarks: {
    label: 'Read receipts and typing',
    hint: 'In messages, others see what you’ve read and when you’re typing. If you turn this off, you won’t see theirs either.',
  },
}

export function MessageSettings({ only = Object.keys(controls) as Name[] }: { only?: readonly Name[] }) {
  const { data, error, refetch, isFetching } = useQuery(messageSettingsOptions)
  const settings = messageSettings.useShown(data)
  if (settings) return only.map((name) => <SettingControl key={name} name={name} settings={settings} />)
  if (error) {
    return (
      <RetryLine onRetry={() => void refetch()} pending={isFetching}>
        Your message settings couldn’t be loaded. {messageOf(error)}
      </RetryLine>
    )
  }
  return (
    <SkeletonGroup label="Loading your message settings..." className="grid gap-3">
      {only.map((name) => (
        <Skeleton key={name} className={'options' in controls[name] ? 'h-40' : 'h-11'} />
      ))}
    </SkeletonGroup>
  )
}

function SettingControl({ name, settings }: { name: Name; settings: Settings }) {
  const control = controls[name]
  const choose = (value: unknown) => messageSettings.choose({ [name]: value })
  if (!('options' in control)) {
    return (
      <Switch checked={settings[name] === true} onChange={({ target }) => choose(target.checked)} hint={control.hint}>
        {control.label}
      </Switch>
    )
  }
  return (
    <RadioCards legend={control.label} className="sm:grid-flow-row!">
      {control.options.map((option) => (
        <RadioCard
          key={option.value}
          name={name}
          {...option}
          checked={settings[name] === option.value}
          onChange={() => choose(option.value)}
          className="p-3!"
        />
      ))}
    </RadioCards>
  )
}
