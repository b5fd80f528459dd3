/* The lower bound for a fan-out server: accepts viewers, answers each with a fixed handshake, and writes ready-made
   frames, all with epoll.

   floor MESSAGE_BYTES
   Prints its port. Obeys lines on its standard input: "go COUNT RATE" sends COUNT messages (RATE 0: as fast as
   they are written) and answers "done". Each message contains "@@NANOSECONDS@@", the time when it was sent, by
   CLOCK_MONOTONIC. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_VIEWERS = 65536 };

static const char HELLO[] =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\n\r\n";
static int sockets[MAX_VIEWERS], viewers, epoll, listener, has_order;

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void poll_events(int wait_ms) {
  struct epoll_event events[256];
  char got[4096];
  int ready = epoll_wait(epoll, events, 256, wait_ms), yes = 1;
  for (int each = 0; each < ready; each++) {
    int fd = events[each].data.fd;
    if (fd == STDIN_FILENO) {
      has_order = 1;
      continue;
    }
    if (fd != listener) {
      if (recv(fd, got, sizeof got, 0) > 0) send(fd, HELLO, sizeof HELLO - 1, MSG_NOSIGNAL);
      continue;
    }
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
      struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
      sockets[viewers++] = fd;
    }
  }
}

static void send_to_all(char *frame, long bytes) {
  char mark[32];
  int length = snprintf(mark, sizeof mark, "@@%lld@@", now_ns());
  memcpy(frame + 8, mark, length);
  for (int each = 0; each < viewers; each++) {
    long sent = 0;
    while (sent < bytes) {
      long more = send(sockets[each], frame + sent, bytes - sent, MSG_NOSIGNAL);
      if (more > 0) sent += more;
      else if (errno != EAGAIN) break;
    }
  }
}

int main(int arguments, char **words) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct epoll_event event = {.events = EPOLLIN};
  socklen_t length = sizeof at;
  struct rlimit files;
  char order[64];
  if (arguments != 2) return 2;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  long payload = atol(words[1]), bytes = payload + 4;
  char *frame = malloc(bytes);
  memset(frame, 'x', bytes);
  frame[0] = (char)0x81, frame[1] = 126, frame[2] = (char)(payload >> 8), frame[3] = (char)payload;
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 4096)) return 1;
  getsockname(listener, (struct sockaddr *)&at, &length);
  epoll = epoll_create1(0);
  event.data.fd = listener;
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  event.data.fd = STDIN_FILENO;
  epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &event);
  for (;;) {
    for (has_order = 0; !has_order;) poll_events(-1);
    long read_bytes = read(STDIN_FILENO, order, sizeof order - 1), number, a_second;
    if (read_bytes <= 0) return 0;
    order[read_bytes] = 0;
    if (sscanf(order, "go %ld %ld", &number, &a_second) != 2) return 2;
    long long begun = now_ns();
    for (long each = 0; each < number; each++) {
      if (a_second)
        for (long long left; (left = begun + each * 1000000000LL / a_second - now_ns()) > 0;)
          poll_events(left / 1000000);
      send_to_all(frame, bytes);
    }
    printf("done\n");
    fflush(stdout);
  }
}
