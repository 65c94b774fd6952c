import fs from 'node:fs'
import path from 'node:path'

type Video = 'h264.mp4' | 'turned.mov' | 'vp8.webm' | 'hevc.mp4' | 'mpeg4.mp4' | 'long.mp4' | 'sound.mp4'

/** A test picture of a second, made with ffmpeg, with a place, a title, a comment and a date in its metadata. */
export const video = (name: Video): Buffer => fs.readFileSync(path.join(import.meta.dirname, 'videos', name))
