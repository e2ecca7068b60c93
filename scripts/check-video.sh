#!/usr/bin/env bash
# Decodes a video with FFmpeg and compares it with the pictures that it was made of: number of frames, size
# (odd sides grow by one), colour tags, and the mean colours of three frames within 3 of 255.
# usage: scripts/check-video.sh VIDEO FRAME.png...
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: $0 VIDEO FRAME.png..." >&2
  exit 2
fi
if ! command -v ffmpeg >/dev/null || ! command -v ffprobe >/dev/null; then
  command -v apt-get >/dev/null || { echo "ffmpeg and ffprobe are missing: install FFmpeg" >&2; exit 1; }
  sudo=""; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq ffmpeg >/dev/null
fi
video=$1
shift
frames=("$@")

probe() { ffprobe -v error -select_streams v:0 -show_entries "stream=$2" -of csv=p=0 "${@:3}" "$1"; }
# Mean red, green and blue of frame $2.
mean() {
  ffmpeg -v error -i "$1" -vf "select=eq(n\,$2)" -frames:v 1 -f rawvideo -pix_fmt rgb24 - | od -An -v -tu1 -w3 |
    awk '{ r += $1; g += $2; b += $3 } END { if (NR == 0) exit 1; printf "%.2f %.2f %.2f", r / NR, g / NR, b / NR }'
}
same() {
  if [ "$2" != "$3" ]; then
    echo "$video: $1 is $2, expected $3" >&2
    exit 1
  fi
}

IFS=, read -r width height < <(probe "${frames[0]}" width,height)
same size "$(probe "$video" width,height)" "$((width + width % 2)),$((height + height % 2))"
same "number of frames" "$(probe "$video" nb_read_frames -count_frames)" "${#frames[@]}"
same codec "$(probe "$video" codec_name)" av1
same colours "$(probe "$video" color_range,color_space,color_transfer,color_primaries)" tv,bt709,bt709,bt709
last=$((${#frames[@]} - 1))
for n in 0 $((last / 2)) $last; do
  shown=$(mean "$video" "$n")
  drawn=$(mean "${frames[$n]}" 0)
  if ! echo "$shown $drawn" | awk '{ for (c = 1; c <= 3; c++) { d = $c - $(c + 3); if (d > 3 || d < -3) exit 1 } }'; then
    echo "$video: frame $n has mean colour $shown, its picture $drawn" >&2
    exit 1
  fi
done
echo "$video: ${#frames[@]} frames as drawn"
