import { Check } from 'lucide-react'
import type { ReactElement } from 'react'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'

export type Choices = {
  label: string
  choices: readonly { value: string; text: string }[]
  current: string | null
  onChoose: (value: string) => void
}

/** Open on mount, because the first press on a `ChoiceMenu` mounts this. */
export default function ChoiceList({ label, choices, current, onChoose, trigger }: Choices & { trigger: ReactElement }) {
  return (
    <Menu defaultOpen>
      <MenuTrigger asChild>{trigger}</MenuTrigger>
      <MenuContent align="start" aria-label={label}>
        {choices.map(({ value, text }) => (
          <MenuItem key={value} role="menuitemradio" aria-checked={value === current} onSelect={() => onChoose(value)}>
            <Check aria-hidden="true" className={value === current ? '' : 'invisible'} />
            {text}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
