import type { ReactElement } from 'react'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'

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
