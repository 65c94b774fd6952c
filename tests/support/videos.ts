import fs from 'node:fs'
import path from 'node:path'

type Video =
  | 'h264.mp4'
  | 'turned.mov'
  | 'vp8.webm'
  | 'vp9.webm'
  | 'av1.mp4'
  | 'camera.mkv'
  | 'hevc.mp4'
  | 'mpeg4.mp4'
  | 'long.mp4'
  | 'sound.mp4'

/**
 * A short test video, made with ffmpeg. All except `long.mp4` and `sound.mp4` have the canary in their metadata, most with a location.
 * `camera.mkv` also has a location in its stream (SEI), a location track as subtitles, tags and an attachment.
 */
export const video = (name: Video): Buffer => fs.readFileSync(path.join(import.meta.dirname, 'videos', name))
