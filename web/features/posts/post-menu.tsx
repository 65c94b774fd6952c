import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Flag, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Post } from '../../../contracts/posts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { useReport } from '../reports/use-report.tsx'
import { reportedWriter } from './byline.tsx'
import { removePost } from './delete-post.ts'

type PostMenuProps = {
  post: Post
  /** Leaves the page of a post that was just deleted. */
  onRemoved?: (() => void) | undefined
  /** What can be done with it where it was posted. */
  extra?: ReactNode
}

/** What the viewer may do with a post, besides liking it. Without any of it there is no button. */
export function PostMenu({ post, onRemoved, extra }: PostMenuProps) {
  const client = useQueryClient()
  const report = useReport('post', post.id, reportedWriter(post))
  const { abilities } = post
  if (!(abilities.edit || abilities.delete || abilities.report)) return null
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More about ${post.title}`} size="sm">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          {extra}
          {abilities.edit && (
            <MenuItem asChild>
              <Link to="/post/$id/edit" params={{ id: post.id }}>
                <Pencil aria-hidden="true" />
                Edit
              </Link>
            </MenuItem>
          )}
          {abilities.report && (
            <MenuItem onSelect={report.open}>
              <Flag aria-hidden="true" />
              Report
            </MenuItem>
          )}
          {abilities.delete && (
            <MenuItem
              danger
              onSelect={() => {
                removePost(client, post)
                onRemoved?.()
              }}
            >
              <Trash2 aria-hidden="true" />
              Delete
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      {report.dialog}
    </>
  )
}
