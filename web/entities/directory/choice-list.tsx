import { Check } from 'lucide-react'
import { type ReactElement, use } from 'react'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { ChoicesContext } from './choices.ts'

/** The list of a {@link ChoiceMenu}. Open on mount, because the first press loads it. */
export default function ChoiceList({ trigger }: { trigger: ReactElement }) {
  const list = use(ChoicesContext)
  return (
    <Menu defaultOpen>
      <MenuTrigger asChild>{trigger}</MenuTrigger>
      <MenuContent align="start" aria-label={list?.label}>
        {list?.choices.map(({ value, text }) => (
          <MenuItem key={value} role="menuitemradio" aria-checked={value === list.current} onSelect={() => list.onChoose(value)}>
            <Check aria-hidden="true" className={value === list.current ? '' : 'invisible'} />
            {text}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
