import { Ban, Flag } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { ReportDialog } from '../reports/report-dialog.tsx'
import { useBlockBusiness } from './use-block-business.ts'

export type BusinessMenuProps = { business: Pick<BusinessSummary, 'id' | 'name'>; isBlocked: boolean; isSubscribed: boolean }

/** The menu behind the button of {@link file://./business-menu.tsx}, and what its items open. It opens at once. */
export default function OpenBusinessMenu({ business, isBlocked, isSubscribed, trigger }: BusinessMenuProps & { trigger: ReactElement }) {
  const [dialog, setDialog] = useState<'block' | 'report' | null>(null)
  const { setBlocked } = useBlockBusiness(business)
  const control = (name: 'block' | 'report') => ({
    open: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  })
  return (
    <>
      <Menu defaultOpen>
        <MenuTrigger asChild>{trigger}</MenuTrigger>
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
