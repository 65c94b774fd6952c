import type { ReactElement } from 'react'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'

/** A menu that is fetched when its button is first pointed at. */
export default function SampleMenu({ trigger }: { trigger: ReactElement }) {
  return (
    <Menu defaultOpen>
      <MenuTrigger asChild>{trigger}</MenuTrigger>
      <MenuContent>
        <MenuItem>Mark All Read</MenuItem>
        <MenuItem>All notifications</MenuItem>
      </MenuContent>
    </Menu>
  )
}
