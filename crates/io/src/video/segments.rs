//! The pictures of a video as encoded packets. From one key frame to the next no picture looks back beyond the first,
//! so that such segments are encoded side by side, each by an encoder of its own: on many cores, and with the same
//! bytes as one after the other.

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rav1e::prelude::*;

use super::yuv;
use crate::{Error, Image};

/// Bytes of pictures that wait for an encoder, at most. Enough for a dozen seconds of small pictures, or two of large
/// ones.
const MOST_WAITING: usize = 512 << 20;

/// How far the encoders of a video are. Any thread may look.
#[derive(Debug, Default)]
pub struct Progress {
    pictures: AtomicUsize,
    /// ns.
    busy: AtomicU64,
}

impl Progress {
    /// Pictures that have been encoded.
    pub fn pictures(&self) -> usize {
        self.pictures.load(Ordering::Relaxed)
    }

    /// Time that encoders were at work, those of segments side by side added up.
    pub fn busy(&self) -> Duration {
        Duration::from_nanos(self.busy.load(Ordering::Relaxed))
    }
}

/// A picture as it is shown, encoded.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) data: Vec<u8>,
    /// Whether a player can begin here.
    pub(super) is_key: bool,
}

/// What comes out of a segment.
type Encoded = Result<Vec<Packed>, Error>;

/// A segment that is not encoded yet.
struct Work {
    pictures: Receiver<Waiting>,
    done: SyncSender<Encoded>,
}

/// Encoders at work on the segments of one video.
pub(super) struct Segments {
    shared: Arc<Shared>,
    work: Option<Sender<Work>>,
    threads: Vec<JoinHandle<()>>,
    /// The segment that is being filled, and how many pictures it has.
    open: Option<(Sender<Waiting>, usize)>,
    /// Results of all segments, in their order.
    results: VecDeque<Receiver<Encoded>>,
}

/// What encoders need to know.
struct Shared {
    config: Config,
    /// Pictures of a segment.
    length: usize,
    path: std::path::PathBuf,
    room: Arc<MemoryBudget>,
    progress: Arc<Progress>,
    /// Whether the video was given up.
    abandoned: AtomicBool,
}

impl Segments {
    /// Encoders with these settings; `threads` segments at the same time.
    pub(super) fn new(path: &Path, config: Config, length: usize, threads: NonZero<usize>) -> Self {
        let shared = Arc::new(Shared {
            config,
            length,
            path: path.to_owned(),
            room: Arc::default(),
            progress: Arc::default(),
            abandoned: AtomicBool::new(false),
        });
        let (sender, receiver) = channel::<Work>();
        let receiver = Arc::new(Mutex::new(receiver));
        let threads = (0..threads.get()).map(|_| {
            let (shared, receiver) = (Arc::clone(&shared), Arc::clone(&receiver));
            std::thread::spawn(move || {
                while let Some(work) = next(&receiver) {
                    // The receiver is gone: the video was given up.
                    let _ = work.done.send(shared.encode(&work.pictures));
                }
            })
        });
        Self { threads: threads.collect(), shared, work: Some(sender), open: None, results: VecDeque::new() }
    }

    pub(super) fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.shared.progress)
    }

    /// Hands a picture over; waits only while too many are waiting.
    pub(super) fn push(&mut self, image: Image) -> Result<(), Error> {
        let waiting = Waiting::new(&self.shared.room, image);
        let full = |open: &(_, usize)| open.1 == self.shared.length;
        if self.open.as_ref().is_none_or(full) {
            let (pictures, receiver) = channel();
            let (done, result) = sync_channel(1);
            let sent = self.work.as_ref().map(|work| work.send(Work { pictures: receiver, done }));
            if !matches!(sent, Some(Ok(()))) {
                return Err(self.shared.stopped());
            }
            self.results.push_back(result);
            self.open = Some((pictures, 0));
        }
        let Some((pictures, count)) = &mut self.open else { unreachable!("opened above") };
        *count += 1;
        match pictures.send(waiting) {
            Ok(()) => Ok(()),
            // The encoder has given up, and its result says why.
            Err(_) => Err(self.finish().err().unwrap_or_else(|| self.shared.stopped())),
        }
    }

    /// All that has been encoded, in the order of the pictures.
    pub(super) fn finish(&mut self) -> Encoded {
        self.open = None;
        self.work = None;
        let mut all = Vec::new();
        for result in std::mem::take(&mut self.results) {
            all.extend(result.recv().unwrap_or_else(|_| Err(self.shared.stopped()))?);
        }
        Ok(all)
    }
}

impl Drop for Segments {
    fn drop(&mut self) {
        self.shared.abandoned.store(true, Ordering::Relaxed);
        (self.open, self.work) = (None, None);
        for thread in std::mem::take(&mut self.threads) {
            let _ = thread.join(); // what it had to say is in the results
        }
    }
}

/// The next segment; waits for one.
fn next(work: &Mutex<Receiver<Work>>) -> Option<Work> {
    lock(work).recv().ok()
}

/// A panic of another thread leaves what is behind these locks whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn error(&self, why: &dyn std::fmt::Display) -> Error {
        super::encoding_error(&self.path, why)
    }

    /// An encoder ended without a word, which only a panic explains.
    fn stopped(&self) -> Error {
        self.error(&"the encoder stopped")
    }

    /// Encodes the pictures of a segment as they come.
    fn encode(&self, pictures: &Receiver<Waiting>) -> Encoded {
        let mut encoder: Context<u8> = self.config.new_context().map_err(|e| self.error(&e))?;
        let mut packets = Vec::new();
        for waiting in pictures {
            if self.abandoned.load(Ordering::Relaxed) {
                return Ok(packets);
            }
            self.busy(|| {
                let mut frame = encoder.new_frame();
                yuv::fill(&mut frame.planes, &waiting.image);
                drop(waiting);
                encoder.send_frame(frame).map_err(|e| self.error(&e))?;
                self.take(&mut encoder, &mut packets)
            })?;
        }
        if !self.abandoned.load(Ordering::Relaxed) {
            encoder.flush();
            self.busy(|| self.take(&mut encoder, &mut packets))?;
        }
        Ok(packets)
    }

    fn busy<R>(&self, work: impl FnOnce() -> R) -> R {
        let begin = Instant::now();
        let result = work();
        self.progress.busy.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    /// Takes what the encoder has finished. A packet is one picture to show, in the order of showing.
    fn take(&self, encoder: &mut Context<u8>, packets: &mut Vec<Packed>) -> Result<(), Error> {
        loop {
            match encoder.receive_packet() {
                Ok(packet) => {
                    packets.push(Packed { is_key: packet.frame_type == FrameType::KEY, data: packet.data });
                    self.progress.pictures.fetch_add(1, Ordering::Relaxed);
                }
                Err(EncoderStatus::Encoded) => {} // a picture that later ones refer to and that is not shown
                Err(EncoderStatus::NeedMoreData | EncoderStatus::LimitReached) => return Ok(()),
                Err(status) => return Err(self.error(&status)),
            }
        }
    }
}

/// Counts the bytes of waiting pictures.
#[derive(Default)]
struct MemoryBudget {
    taken: Mutex<usize>,
    given_back: Condvar,
}

/// A picture that waits for an encoder, with the memory that it takes.
struct Waiting {
    image: Image,
    room: Arc<MemoryBudget>,
}

impl Waiting {
    fn new(room: &Arc<MemoryBudget>, image: Image) -> Self {
        let bytes = image.rgb.len();
        let is_full = |taken: &mut usize| *taken > 0 && *taken + bytes > MOST_WAITING;
        let taken = room.given_back.wait_while(lock(&room.taken), is_full);
        *taken.unwrap_or_else(PoisonError::into_inner) += bytes;
        Self { image, room: Arc::clone(room) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        *lock(&self.room.taken) -= self.image.rgb.len();
        self.room.given_back.notify_all();
    }
}
