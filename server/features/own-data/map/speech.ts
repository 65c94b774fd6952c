import { sql } from 'kysely'
import { anyOf, either, ofNoOne, own, type Tables, type Whose, withAccount, within } from './table-map.ts'

const businessId = own('business_id')
const ownPosts = own('author_id')
const ownsCommunity: Whose = (id) => sql<boolean>`(role = 'owner' and user_id = ${id})`

export const speechTables: Tables = {
  posts: {
    about: 'Posts you wrote, under your name, in communities and for businesses.',
    people: { author_id: 'row' },
    exported: { file: 'posts', whose: ownPosts },
    ofBusiness: { file: 'posts', whose: businessId, leftOut: { author_id: 'The team member who wrote it.' } },
    erased: { by: 'posts' },
  },
  post_media: {
    about: 'Pictures and videos in your posts; the files are in media/.',
    exported: { file: 'post-media', whose: within('post_id', 'posts', ownPosts) },
    ofBusiness: { file: 'post-media', whose: within('post_id', 'posts', businessId) },
    erased: { with: 'posts' },
  },
  post_likes: {
    about: 'Posts you liked.',
    people: { user_id: 'row' },
    exported: { file: 'likes', whose: own('user_id') },
    erased: { by: 'likes' },
  },
  mentions: {
    about: 'People and businesses you mentioned in your posts and comments.',
    people: { person_id: 'row' },
    exported: {
      file: 'mentions',
      whose: anyOf(within('post_id', 'posts', ownPosts), within('comment_id', 'comments', own('author_id'))),
    },
    erased: withAccount,
  },
  saved_posts: {
    about: 'Posts you saved.',
    people: { user_id: 'row' },
    exported: { file: 'saved-posts', whose: own('user_id') },
    erased: withAccount,
  },
  hidden_posts: {
    about: 'Posts you hid from your feeds.',
    people: { user_id: 'row' },
    exported: { file: 'hidden-posts', whose: own('user_id') },
    erased: withAccount,
  },
  polls: {
    about: 'Polls you posted.',
    exported: { file: 'polls', whose: within('post_id', 'posts', ownPosts) },
    erased: { with: 'posts' },
  },
  poll_options: {
    about: 'The options of your polls.',
    exported: {
      file: 'poll-options',
      whose: within('post_id', 'posts', ownPosts),
      leftOut: { votes_count: 'Hidden while the poll is open.' },
    },
    erased: { with: 'posts' },
  },
  poll_votes: {
    about: 'Your votes.',
    people: { user_id: 'row' },
    exported: { file: 'poll-votes', whose: own('user_id') },
    erased: { by: 'poll-votes' },
  },
  post_drafts: {
    about: 'Posts you have not published.',
    people: { author_id: 'row' },
    exported: { file: 'drafts', whose: own('author_id') },
    erased: { by: 'drafts' },
  },
  post_draft_media: {
    about: 'Pictures and videos in your drafts.',
    exported: { file: 'draft-media', whose: within('draft_id', 'post_drafts', own('author_id')) },
    erased: { with: 'post_drafts' },
  },
  comments: {
    about: 'Comments you wrote.',
    people: { author_id: 'row' },
    exported: { file: 'comments', whose: own('author_id') },
    erased: { by: 'comments' },
  },
  reviews: {
    about: 'Your reviews, with the replies to them.',
    people: { user_id: 'row', replied_by: 'emptied' },
    exported: { file: 'reviews', whose: own('user_id'), leftOut: { replied_by: 'The team member who replied.' } },
    erased: { by: 'reviews' },
  },
  review_media: {
    about: 'Photos in your reviews.',
    exported: { file: 'review-media', whose: within('review_id', 'reviews', own('user_id')) },
    erased: { with: 'reviews' },
  },
  review_votes: {
    about: 'Reviews you found helpful.',
    people: { user_id: 'row' },
    exported: { file: 'review-votes', whose: own('user_id') },
    erased: { by: 'review-votes' },
  },
  communities: {
    about: 'Communities you own or created. An owner transfers them before the account is deleted.',
    people: { created_by: 'emptied' },
    exported: {
      file: 'communities',
      whose: anyOf(own('created_by'), within('id', 'community_members', ownsCommunity, 'community_id')),
      leftOut: { created_by: 'May be someone else.' },
    },
    erased: { stays: 'A community belongs to its members.' },
  },
  community_members: {
    about: 'Communities you are in.',
    people: { user_id: 'row' },
    exported: { file: 'community-memberships', whose: own('user_id') },
    erased: { by: 'memberships' },
  },
  community_requests: {
    about: 'Communities you asked to join.',
    people: { user_id: 'row' },
    exported: { file: 'community-requests', whose: own('user_id') },
    erased: withAccount,
  },
  community_invitations: {
    about: 'Invitations to communities that you sent or received.',
    people: { invited_by: 'row', invited_id: 'row', used_by: 'emptied' },
    exported: {
      file: 'community-invitations',
      whose: either('invited_by', 'invited_id', 'used_by'),
      leftOut: { token_hash: 'A secret.', used_by: 'May be someone else.' },
    },
    erased: withAccount,
  },
  community_bans: {
    about: 'Communities you are banned from.',
    people: { user_id: 'row' },
    exported: { file: 'community-bans', whose: own('user_id') },
    erased: withAccount,
  },
  community_mutes: {
    about: 'Communities you are muted in.',
    people: { user_id: 'row' },
    exported: { file: 'community-mutes', whose: own('user_id') },
    erased: withAccount,
  },
  community_post_ranks: {
    about: 'Values that community lists are sorted by.',
    exported: ofNoOne,
    erased: { with: 'posts' },
  },
  community_tags: {
    about: 'How often a community uses a tag.',
    exported: ofNoOne,
    erased: { stays: ofNoOne },
  },
  conversations: {
    about: 'Your conversations.',
    people: { person_id: 'emptied', other_id: 'emptied', started_by: 'emptied' },
    exported: {
      file: 'conversations',
      whose: either('person_id', 'other_id'),
      leftOut: { declined_at: 'People who send a request don’t learn that it was declined.' },
    },
    erased: { by: 'messages' },
  },
  conversation_sides: {
    about: 'What you have read and muted.',
    people: { user_id: 'row' },
    exported: { file: 'conversation-sides', whose: own('user_id') },
    erased: { by: 'messages' },
  },
  messages: {
    about: 'Messages you wrote. Messages from others aren’t included.',
    people: { sender_id: 'emptied', recipient_id: 'emptied' },
    exported: { file: 'messages', whose: own('sender_id') },
    erased: { by: 'messages' },
  },
  message_media: {
    about: 'Photos you sent.',
    exported: { file: 'message-media', whose: within('message_id', 'messages', own('sender_id')) },
    erased: { with: 'messages' },
  },
  message_deletions: {
    about: 'Messages you deleted for yourself.',
    people: { user_id: 'row' },
    exported: { file: 'message-deletions', whose: own('user_id') },
    erased: withAccount,
  },
  reports: {
    about: 'What you reported. Reports about you aren’t included.',
    people: { reporter_id: 'row' },
    exported: { file: 'reports', whose: own('reporter_id'), leftOut: { case_id: 'Only for moderators.' } },
    erased: { by: 'cases' },
  },
  earlier_reports: {
    about: 'What you reported and moderators decided before you reported the same again.',
    people: { reporter_id: 'row' },
    exported: { file: 'earlier-reports', whose: own('reporter_id'), leftOut: { case_id: 'Only for moderators.' } },
    erased: { by: 'cases' },
  },
  moderation_cases: {
    about: 'Moderation cases about you or your content.',
    people: { user_id: 'row', assigned_to: 'emptied', decided_by: 'emptied' },
    exported: {
      file: 'moderation-cases',
      whose: own('user_id'),
      leftOut: {
        assigned_to: 'A moderator.',
        decided_by: 'A moderator.',
        reports_count: 'About the people who reported.',
        reason: 'About the people who reported.',
      },
    },
    erased: { by: 'cases' },
  },
  moderation_actions: {
    about: 'What moderators did about you or your content. The day, kind and reason remain in the public log, which doesn’t name anyone.',
    people: { user_id: 'emptied', moderator_id: 'emptied', undone_by: 'emptied' },
    exported: {
      file: 'moderation-actions',
      whose: own('user_id'),
      leftOut: {
        moderator_id: 'A moderator.',
        undone_by: 'A moderator.',
        note: 'Internal to moderators.',
        undo_reason: 'Internal to moderators.',
        case_id: 'Only for moderators.',
      },
    },
    erased: { by: 'cases' },
  },
  moderation_appeals: {
    about: 'Your appeals and their decisions.',
    people: { user_id: 'row', moderator_id: 'emptied', decided_by: 'emptied' },
    exported: { file: 'appeals', whose: own('user_id'), leftOut: { moderator_id: 'A moderator.', decided_by: 'A moderator.' } },
    erased: { by: 'cases' },
  },
  moderation_effects: {
    about: 'Content as it was before moderators changed it.',
    exported: 'Part of the actions.',
    erased: { by: 'cases' },
  },
  media: {
    about: 'What you uploaded; the files are in media/. Files that a business still shows aren’t deleted, but no longer have your name.',
    people: { owner_id: 'emptied' },
    exported: { file: 'media', whose: own('owner_id') },
    erased: { by: 'media' },
  },
  media_chunks: {
    about: 'Parts of an upload in progress.',
    exported: 'It isn’t a complete file yet.',
    erased: { with: 'media' },
  },
  media_uses: {
    about: 'Where each file is shown.',
    people: { person_id: 'row' },
    exported: 'The files listed with your profile, posts, drafts, reviews, logs and messages show this.',
    erased: { with: 'media' },
  },
}
