import { Ban, Ellipsis, Flag } from 'lucide-react'
import { useState } from 'react'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { ReportDialog } from '../reports/report-dialog.tsx'
import { useBlockBusiness } from './use-block-business.ts'

type BusinessMenuProps = { business: Pick<BusinessSummary, 'id' | 'name'>; isBlocked: boolean; isSubscribed: boolean }

/** What else can be done about a business. */
export function BusinessMenu({ business, isBlocked, isSubscribed }: BusinessMenuProps) {
  const [dialog, setDialog] = useState<'block' | 'report' | null>(null)
  const { setBlocked } = useBlockBusiness(business)
  const control = (name: 'block' | 'report') => ({
    open: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More about ${business.name}`} variant="outline">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setDialog('report')}>
            <Flag aria-hidden="true" />
            Report
          </MenuItem>
          {!isBlocked && (
            <MenuItem danger onSelect={() => setDialog('block')}>
              <Ban aria-hidden="true" />
              Block
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      <ReportDialog
        subject="business"
        subjectId={business.id}
        writer={isBlocked ? null : { kind: 'business', ...business }}
        {...control('report')}
      />
      <ConfirmDialog
        {...control('block')}
        title={`Block ${business.name}?`}
        confirmText="Block"
        onConfirm={() => {
          setDialog(null)
          setBlocked(true)
        }}
      >
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>Its posts are no longer in your feed, and it is not suggested to you.</li>
          <li>
            You no longer follow it
            {isSubscribed ? ', and your subscription ends. Ending the block later does not bring that back.' : '.'}
          </li>
          <li>Its page stays in the directory, where you can end the block at any time.</li>
        </ul>
      </ConfirmDialog>
    </>
  )
}
