import { Ban, Ellipsis, Flag } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { ReportDialog } from '../reports/report-dialog.tsx'
import { BlockPersonDialog } from './block-person-dialog.tsx'

/** What else can be done about a person. */
export function PersonMenu({ person }: { person: { id: string; name: string } }) {
  const [dialog, setDialog] = useState<'block' | 'report' | null>(null)
  const control = (name: 'block' | 'report') => ({
    open: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More about ${person.name}`} variant="outline">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setDialog('report')}>
            <Flag aria-hidden="true" />
            Report
          </MenuItem>
          <MenuItem danger onSelect={() => setDialog('block')}>
            <Ban aria-hidden="true" />
            Block
          </MenuItem>
        </MenuContent>
      </Menu>
      <ReportDialog subject="person" subjectId={person.id} writer={{ kind: 'person', ...person }} {...control('report')} />
      <BlockPersonDialog person={person} {...control('block')} />
    </>
  )
}
